import type { Kind } from "./kinds.ts";
import { isObject, Reference, type Values } from "./values.ts";

/** An object of an installation. */
export interface Item {
  readonly kind: Kind;
  /** Undefined for objects without an id. */
  readonly id: string | undefined;
  /** The fields that operations return. */
  readonly object: Values;
  /** The values of the fields, as `ValueCodec` reads them. */
  readonly values: Values;
  /** The name by which files refer to the object. */
  label: string;
}

/** Ids and labels of objects that nothing may refer to yet, by kind. */
export type Known = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Returns the references in the values of an object, in their order. */
export function referencesIn(value: unknown): Reference[] {
  if (value instanceof Reference) return [value];
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  return isObject(value) ? Object.values(value).flatMap(referencesIn) : [];
}
