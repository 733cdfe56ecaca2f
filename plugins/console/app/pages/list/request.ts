import { type DescField, ScalarType } from "@bufbuild/protobuf";
import type { Operation } from "../../api/model.ts";

/** The rows of a page; lists that cannot be read page by page are shown whole. */
export const PAGE_SIZE = 20;

const PAGE_FIELDS = ["offset", "size"];
const SORT = /(Asc|Desc)$/;

/** Returns the fields of a list's request that choose rows: a keyword first. */
export function filtersOf({ method: { input } }: Operation): DescField[] {
  return input.fields
    .filter((field) =>
      field.fieldKind === "scalar" && field.scalar !== ScalarType.BYTES && !PAGE_FIELDS.includes(field.localName)
    )
    .filter((field) => !SORT.test(field.localName) && field.proto.options?.deprecated !== true)
    .sort((one, other) => Number(other.localName === "keyword") - Number(one.localName === "keyword"));
}

/** Returns the fields of a list's request that order its rows, such as `nameDesc`. */
export function sortsOf({ method: { input } }: Operation): DescField[] {
  return input.fields.filter(({ localName, scalar, proto }) =>
    SORT.test(localName) && scalar === ScalarType.BOOL && proto.options?.deprecated !== true
  );
}

/** True if the list is read page by page. */
export function isPaged({ method: { input } }: Operation): boolean {
  return input.fields.some(({ localName }) => localName === "size");
}

/** Returns the part of a request that says which rows of the list are shown. */
export function pageOf({ method: { input } }: Operation, offset: number): Record<string, unknown> {
  const has = (name: string) => input.fields.some(({ localName }) => localName === name);
  return {
    ...(has("day") && { day: today() }),
    ...(has("offset") && { offset: BigInt(offset) }),
    ...(has("size") && { size: BigInt(PAGE_SIZE) }),
  };
}

/** Logs are listed by day: without a choice, those of today. */
function today(): string {
  return new Date().toISOString().slice(0, 10).replaceAll("-", "");
}

/** Returns the part of a request that another operation knows too. */
export function only(
  { method: { input } }: Operation,
  request: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(request).filter(([name]) => input.fields.some(({ localName }) => localName === name)),
  );
}
