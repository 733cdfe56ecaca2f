const SUPPLIED = /^[\w.:-]{1,64}$/;
// Created with the first request, because some runtimes provide no random values before.
let prefix: string | undefined;
let count = 0;

/** Returns a new request id of this process. */
export function newRequestId(): string {
  prefix ??= crypto.randomUUID().slice(0, 8);
  return `${prefix}-${(++count).toString(36)}`;
}

/** Returns true if this process made the id. */
export function isOwnRequestId(id: string): boolean {
  return prefix !== undefined && id.startsWith(`${prefix}-`);
}

/** Returns true if a client may choose the id. It may not look like one of this process. */
export function maySupplyRequestId(id: string): boolean {
  return SUPPLIED.test(id) && !isOwnRequestId(id);
}
