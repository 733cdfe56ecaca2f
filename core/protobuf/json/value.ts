/** A number literal kept as it was written, since a JavaScript number would round it. */
export interface RawNumber {
  readonly rawJSON: string;
}

// TypeScript's library does not declare these two yet.
interface RawJson {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
}

/** Keeps a number literal as text; JSON.stringify writes it back unchanged. */
export const rawNumber: RawJson["rawJSON"] = (JSON as JSON & RawJson).rawJSON;
export const isRawNumber: RawJson["isRawJSON"] = (JSON as JSON & RawJson).isRawJSON;

export type Fields = Record<string, unknown>;

/** Whether it is an object that is no array. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether it is a JSON object; a number that is kept as text is none. */
export function isObject(json: unknown): json is Fields {
  return isRecord(json) && !isRawNumber(json);
}

/** Sets a property whose name came from outside; plain assignment of `__proto__` would change the object's prototype. */
export function setOwn(target: Fields, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}
