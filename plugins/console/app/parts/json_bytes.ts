/** Reads a field that contains JSON; undefined if it is empty. */
export function readJson<Value>(bytes: unknown): Value | undefined {
  if (!(bytes instanceof Uint8Array) || bytes.length === 0) return undefined;
  return JSON.parse(new TextDecoder().decode(bytes)) ?? undefined;
}

/** Writes a field that contains JSON. */
export function writeJson(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
