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

/** Whether it is a JSON object: not null, not an array, not a number kept as text. */
export function isObject(json: unknown): json is Fields {
  return typeof json === "object" && json !== null && !Array.isArray(json) && !isRawNumber(json);
}

/** Sets a property whose name came from outside; plain assignment of `__proto__` would change the object's prototype. */
export function setOwn(target: Fields, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}
