import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { jsonContentOf } from "edgehelm/wire";
import { isJSON } from "../json_fields.ts";

/** An id of every kind of object that never exists. */
export const MISSING = 777_777;

/** A field on the way from a request to an id. */
export interface Step {
  readonly field: DescField;
  /** `bytes` if the value is JSON in bytes, `list` if it is JSON in bytes with an array. */
  readonly json?: "bytes" | "list";
}

const ID = /(Ids?|RouteCodes?)$|^ids?$/;
const NUMBERS: readonly unknown[] = [ScalarType.INT64, ScalarType.INT32, ScalarType.UINT64, ScalarType.UINT32];

/** Returns the ways to every id in a message, in its JSON and in the messages inside it. */
export function idPathsOf({ fields, typeName }: DescMessage, parents: readonly string[] = []): Step[][] {
  if (parents.includes(typeName) || typeName.startsWith("google.protobuf.")) return [];
  const inside = [...parents, typeName];
  return fields.flatMap((field): Step[][] => {
    if (isId(field)) return [[{ field }]];
    if (field.message !== undefined) return idPathsOf(field.message, inside).map((path) => [{ field }, ...path]);
    const content = isJSON(field) ? jsonContentOf(field) : undefined;
    const shapes = content?.shapes.filter((shape) => typeof shape !== "string") ?? [];
    const json = content?.isList ? "list" : "bytes";
    return shapes.flatMap((shape) => idPathsOf(shape, inside)).map((path) => [{ field, json }, ...path]);
  });
}

function isId(field: DescField): boolean {
  if (!ID.test(field.name) || field.message !== undefined) return false;
  const isCode = /RouteCodes?$/.test(field.name);
  return isCode ? field.scalar === ScalarType.STRING : NUMBERS.includes(field.scalar);
}

/** Returns the path as errors write it, without the positions in lists. */
export function pathOf(steps: readonly Step[]): string {
  return steps.map(({ field }) => field.name).join(".");
}

/** Returns a request with the missing id at the end of a path. */
export function withMissing(request: object, steps: readonly Step[]): Record<string, unknown> {
  const [{ field, json }, ...rest] = steps as readonly [Step, ...Step[]];
  const previous = (request as Record<string, unknown>)[field.localName];
  if (field.fieldKind === "map") {
    const [[key, value] = ["*", {}]] = Object.entries((previous ?? {}) as Record<string, object>);
    return { ...request, [field.localName]: { [key]: withMissing(value, rest) } };
  }
  const isList = field.fieldKind === "list" || json === "list";
  if (rest.length === 0) return { ...request, [field.localName]: isList ? [missingIn(field)] : missingIn(field) };
  const decoded = json === undefined ? previous : parsed(previous);
  const inner = (isList ? (decoded as object[] | undefined)?.[0] : decoded) ?? {};
  const changed = withMissing(inner as object, rest);
  const value = isList ? [changed] : changed;
  return { ...request, [field.localName]: json === undefined ? value : encoded(value) };
}

function missingIn({ scalar }: DescField): unknown {
  return scalar === ScalarType.STRING ? `id:${MISSING}` : scalar === ScalarType.INT64 ? BigInt(MISSING) : MISSING;
}

function parsed(bytes: unknown): unknown {
  return bytes instanceof Uint8Array && bytes.length > 0 ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
}

function encoded(value: unknown): Uint8Array {
  return new TextEncoder().encode(
    JSON.stringify(value, (_key, part) => typeof part === "bigint" ? Number(part) : part),
  );
}
