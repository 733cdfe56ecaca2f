import { SECRET_MASK } from "edgehelm/auth";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
/** Replaces a secret, which is at the same place in other parameters, too. */
type Replace = (secret: Json, other: Json | undefined) => Json | undefined;

/** Returns true if a secret of parameters is {@link SECRET_MASK}. */
export function hasMasks(paramsJSON: Uint8Array, secrets: readonly string[]): boolean {
  let isFound = false;
  replaced(paramsJSON, undefined, secrets, (secret) => {
    isFound ||= secret === SECRET_MASK;
    return secret;
  });
  return isFound;
}

/** Returns parameters with {@link SECRET_MASK} in the place of each secret. */
export function maskedParams(paramsJSON: Uint8Array, secrets: readonly string[]): Uint8Array {
  return replaced(paramsJSON, undefined, secrets, (secret) => secret === "" ? secret : SECRET_MASK);
}

/** Returns parameters in which each {@link SECRET_MASK} is the secret of the stored parameters again. */
export function restoredParams(paramsJSON: Uint8Array, stored: Uint8Array, secrets: readonly string[]): Uint8Array {
  return replaced(paramsJSON, stored, secrets, (secret, before) => secret === SECRET_MASK ? before : secret);
}

function replaced(bytes: Uint8Array, others: Uint8Array | undefined, secrets: readonly string[], replace: Replace) {
  const params = parsed(bytes);
  const other = others && parsed(others);
  for (const path of secrets) visit(params, other, path.split("."), replace);
  return new TextEncoder().encode(JSON.stringify(params));
}

/** Parses parameters that were checked, or that are checked afterwards. */
function parsed(bytes: Uint8Array): Json {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Json;
  } catch {
    return null;
  }
}

function visit(value: Json, other: Json | undefined, [name, ...rest]: readonly string[], replace: Replace): void {
  if (Array.isArray(value)) {
    // an item of a list is the one with the same name, wherever it is now
    for (const item of value) visit(item, sameNamed(item, other), [name!, ...rest], replace);
    return;
  }
  if (typeof value !== "object" || value === null || value[name!] === undefined) return;
  const before = isObject(other) ? other[name!] : undefined;
  if (rest.length > 0) return visit(value[name!]!, before, rest, replace);
  const next = replace(value[name!]!, before);
  if (next === undefined) delete value[name!];
  else value[name!] = next;
}

function sameNamed(item: Json, others: Json | undefined): Json | undefined {
  if (!isObject(item) || !Array.isArray(others)) return undefined;
  return others.find((other) => isObject(other) && other["name"] === item["name"]);
}

function isObject(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
