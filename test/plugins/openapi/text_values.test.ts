import type { DescField, DescMessage, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { jsonContentOf, textValuesOf } from "edgehelm/wire";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isUnary } from "../../harness/outcome.ts";
import { openSettingsWorld, type SettingsWorld } from "../../matrix/settings_world.ts";
import { requestIn } from "./example_request.ts";

const UNLISTED = "unlisted";

/** A text of a request that has declared values, and the request with another value of it. */
interface Choice {
  /** The path as errors name it, such as `trafficLimitJSON.dailySize.unit`. */
  readonly at: string;
  readonly field: DescField;
  readonly request: (value: string) => JsonObject;
}

let world: SettingsWorld;
// deno-lint-ignore no-explicit-any -- the document is read by its members
let document: any;
beforeAll(async () => {
  world = await openSettingsWorld();
  document = await (await world.edgehelm.fetch(new Request("http://localhost/openapi.json"))).json();
});
afterAll(() => world.edgehelm[Symbol.asyncDispose]());

function choicesIn(message: DescMessage, json: JsonObject, at = ""): Choice[] {
  return message.fields.flatMap((field) => {
    const path = at === "" ? field.name : `${at}.${field.name}`;
    const replaced = (value: JsonValue): JsonObject => ({ ...json, [field.name]: value });
    const values = textValuesOf(field);
    if (values.length > 0 && field.fieldKind === "scalar") return [{ at: path, field, request: replaced }];
    const value = json[field.name];
    return value === undefined || value === null ? [] : contentOf(field).flatMap((content) => {
      if (!Array.isArray(value)) return within(choicesIn(content, value as JsonObject, path), replaced);
      return value.flatMap((item, index) =>
        within(choicesIn(content, item as JsonObject, `${path}[${index}]`), (one) => replaced(value.with(index, one)))
      );
    });
  });
}

function within(choices: readonly Choice[], replaced: (value: JsonObject) => JsonObject): Choice[] {
  return choices.map(({ request, ...choice }) => ({ ...choice, request: (value) => replaced(request(value)) }));
}

/** Returns the message that a field contains, as such or as JSON. */
function contentOf(field: DescField): DescMessage[] {
  if (field.message !== undefined) return field.message.typeName.startsWith("google.") ? [] : [field.message];
  const [shape] = jsonContentOf(field)?.shapes ?? [];
  return shape === undefined || typeof shape === "string" ? [] : [shape];
}

test("operations accept the values that are declared for a text, and name those that they refuse", async () => {
  const misfits: string[] = [];
  /** Values that some operations refuse, and others may accept: sites listen by one protocol each. */
  const refused = new Map<string, string>();
  const accepted = new Set<string>();
  for (const { path, method, roles } of world.edgehelm.kernel.operations.all) {
    if (!isUnary(method)) continue;
    const { example } = document.paths[path].post.requestBody.content["application/json"];
    const role = Object.keys(world.callers).find((one) => roles.has(one as never))!;
    for (const { at, field, request } of choicesIn(method.input, requestIn(world, method, example))) {
      const send = async (value: string) => {
        const { code, message } = await world.edgehelm.post(path, request(value), world.callers[role]!);
        return { code, message: String(message) };
      };
      const { code, message } = await send(UNLISTED);
      if (code !== 400 || !message.startsWith(`${at}: must be one of`)) misfits.push(`${path} ${at}: ${message}`);
      for (const value of textValuesOf(field)) {
        const response = await send(value);
        if (!response.message.startsWith(`${at}: must be`)) accepted.add(`${field} ${value}`);
        else refused.set(`${field} ${value}`, `${path} ${at}: ${response.message}`);
      }
    }
  }
  expect(misfits).toEqual([]);
  expect([...refused].filter(([one]) => !accepted.has(one))).toEqual([]);
  expect(accepted.size).toBeGreaterThan(100);
});
