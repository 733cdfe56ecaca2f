import { HIDDEN, isBlank, isObject, Secret } from "./values.ts";
import { secretName, type Secrets } from "./secrets.ts";
import { Bytes } from "./values.ts";

/** A value that differs: what the installation has, and what the file says. */
export interface Difference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Compares the value of a file with that of an installation. What the file leaves out of an object may be anything.
 *
 * @returns the differences by their paths
 */
export function differences(path: string, wanted: unknown, present: unknown, secrets: Secrets): Difference[] {
  const name = secretName(wanted);
  if (name !== undefined && (present === undefined || present instanceof Secret)) {
    const value = secrets.value(name);
    const isSame = value === undefined || present?.value === undefined || isSameSecret(value, present.value);
    return isSame ? [] : [{ path, before: HIDDEN, after: HIDDEN }];
  }
  if (wanted instanceof Bytes) {
    const isSame = present instanceof Bytes && present.base64 === wanted.base64;
    return isSame ? [] : [{ path, before: present === undefined ? undefined : "(content)", after: "(new content)" }];
  }
  if (Array.isArray(wanted)) {
    const list = Array.isArray(present) ? present : [];
    const isSame = list.length === wanted.length &&
      wanted.every((item, index) => differences("", item, list[index], secrets).length === 0);
    return isSame ? [] : [{ path, before: present, after: wanted }];
  }
  if (isObject(wanted)) {
    if (isBlank(wanted) && isBlank(present) && (isObject(present) || present === undefined)) return [];
    const object = isObject(present) ? present : {};
    return Object.entries(wanted).flatMap(([key, value]) => differences(`${path}.${key}`, value, object[key], secrets));
  }
  if (isSame(wanted, present)) return [];
  return [{ path, before: present instanceof Secret ? HIDDEN : present, after: wanted }];
}

function isSame(wanted: unknown, present: unknown): boolean {
  if (isBlank(wanted) && isBlank(present)) return true;
  // an integer beyond 2^53 is text in JSON
  return isScalar(wanted) && isScalar(present) && String(wanted) === String(present);
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "boolean", "bigint"].includes(typeof value);
}

function isSameSecret(given: unknown, present: unknown): boolean {
  if (isScalar(given) || isScalar(present)) return String(given) === String(present);
  return JSON.stringify(given) === JSON.stringify(present);
}
