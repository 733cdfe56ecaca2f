/** A number literal that a JavaScript number would round, kept as text. */
export interface RawNumber {
  readonly rawJSON: string;
}

// TypeScript's library does not declare these two yet.
interface RawJson {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
}

/** Wraps a number literal as text, which JSON.stringify writes unchanged. */
export const rawNumber: RawJson["rawJSON"] = (JSON as JSON & RawJson).rawJSON;
/** Returns true for a number that is kept as text. Clients run where JSON has none, such as Node 20 and older browsers. */
export const isRawNumber: RawJson["isRawJSON"] = (JSON as JSON & Partial<RawJson>).isRawJSON ??
  ((_value): _value is RawNumber => false);

export type Fields = Record<string, unknown>;

/** Returns true for objects other than arrays. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns true for JSON objects. A number that is kept as text is not one. */
export function isObject(json: unknown): json is Fields {
  return isRecord(json) && !isRawNumber(json);
}

/** Sets a property with an untrusted name. Plain assignment to `__proto__` would change the prototype of the object. */
export function setOwn(target: Fields, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}
