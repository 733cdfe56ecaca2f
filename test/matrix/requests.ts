import { type DescMethodUnary, fromJson } from "@bufbuild/protobuf";
import type { Fields } from "./fixture.ts";
import { fixtures } from "./fixtures.ts";
import { referencesTo } from "./id_fields.ts";

/** Returns a valid request that refers to objects, with the other values that a fixture has for the method. */
export function requestFor(method: DescMethodUnary, objects: readonly Fields[]): Record<string, unknown> {
  const json = fixtures.map(({ requests }) => requests?.[method.name]).find((values) => values !== undefined) ?? {};
  const filled = fromJson(method.input, json) as unknown as Record<string, unknown>;
  const request: Record<string, unknown> = { ...referencesTo(method, ...objects) };
  for (const { name, localName } of method.input.fields) if (name in json) request[localName] = filled[localName];
  return request;
}
