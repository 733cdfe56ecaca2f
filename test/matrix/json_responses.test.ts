import type { DescField, DescMessage, DescMethodUnary } from "@bufbuild/protobuf";
import type { TestCaller } from "edgehelm/testing";
import { jsonCodec } from "edgehelm/wire";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type JsonContent, jsonContentOf } from "edgehelm/wire";
import { CallError } from "../harness/call_error.ts";
import { isUnary } from "../harness/outcome.ts";
import { fieldName, isJsonField, reachableMessages } from "../rules/json_fields.ts";
import { requestFor } from "./requests.ts";
import { openSettingsWorld, type SettingsWorld } from "./settings_world.ts";

/** The fields that are empty in every response, with the reason. */
const ALWAYS_EMPTY: Readonly<Record<string, string>> = {
  "pb.DNSProvider.apiParamsJSON": "the installation serves DNS itself, and has no DNS providers",
  "pb.FindLogResponse.changesJSON": "only audit records have changes; test/plugins/log/audit.test.ts finds one",
  "pb.Login.paramsJSON": "no operation stores a second factor",
  "pb.MessageReceiver.paramsJSON":
    "receivers of a target are replaced as a whole; test/plugins/message_receiver has some",
  "pb.NSZoneRecord.healthCheckJSON": "requests name no zones; test/plugins/ns_zone has one with a health check",
  "pb.NodeValue.valueJSON": "no operation returns measurements of nodes",
  "pb.UserOrder.paramsJSON": "charges have no parameters; those of purchases are tested in the journey of orders",
};

/** The fields of requests that ask for more. */
const FLAGS = { withInstalled: true };

type Message = Readonly<Record<string, unknown>>;
type JsonFieldValue = readonly [field: DescField, bytes: Uint8Array];

let world: SettingsWorld;
beforeAll(async () => {
  world = await openSettingsWorld();
});
afterAll(() => world.edgehelm[Symbol.asyncDispose]());

test("the JSON in responses has the declared shape", async () => {
  const reads = world.edgehelm.kernel.operations.all.filter(({ effect }) => effect === "read");
  const misfits: string[] = [];
  const filled = new Set<string>();
  for (const { method, roles } of reads) {
    if (!isUnary(method)) continue;
    for (const role of roles) {
      for (const request of [{ ...requestFor(method, world.objects), ...FLAGS }, {}]) {
        for (const [field, bytes] of await jsonFieldsOf(method, world.callers[role]!, request)) {
          filled.add(fieldName(field));
          const misfit = misfitOf(jsonContentOf(field), new TextDecoder().decode(bytes));
          if (misfit !== undefined) misfits.push(`${method.name} ${fieldName(field)}: ${misfit}`);
        }
      }
    }
  }
  expect([...new Set(misfits)]).toEqual([]);
  const responses = reads.map(({ method }) => method.output);
  const fields = reachableMessages(responses).flatMap((message) => message.fields.filter(isJsonField)).map(fieldName);
  expect(fields.filter((name) => !filled.has(name)).sort()).toEqual(Object.keys(ALWAYS_EMPTY).sort());
});

/** Makes a call. Returns the fields of its response that contain JSON; none if it fails. */
async function jsonFieldsOf(method: DescMethodUnary, caller: TestCaller, request: Message): Promise<JsonFieldValue[]> {
  try {
    return fieldsIn(method.output, await world.edgehelm.call(caller, method, request) as unknown as Message);
  } catch (error) {
    if (error instanceof CallError) return [];
    throw error;
  }
}

function fieldsIn(desc: DescMessage, message: Message): JsonFieldValue[] {
  return desc.fields.flatMap((field): JsonFieldValue[] => {
    const value = field.oneof === undefined ? message[field.localName] : undefined;
    if (value === undefined) return [];
    if (isJsonField(field)) return (value as Uint8Array).length === 0 ? [] : [[field, value as Uint8Array]];
    if (field.message === undefined) return [];
    const messages = field.fieldKind === "message" ? [value] : Object.values(value as object);
    return messages.flatMap((inner) => fieldsIn(field.message!, inner as Message));
  });
}

/** Returns why JSON text does not have a shape. JSON null stands for an object that does not exist. */
function misfitOf(content: JsonContent | undefined, text: string): string | undefined {
  const json: unknown = JSON.parse(text);
  if (content === undefined || json === null) return undefined;
  if (content.isList !== Array.isArray(json)) return `${text} is ${content.isList ? "not " : ""}a list`;
  for (const item of content.isList ? json as unknown[] : [json]) {
    const reasons = content.shapes.map((shape) =>
      typeof shape === "string" ? typeMisfit(shape, item) : shapeMisfit(shape, item)
    );
    if (!reasons.includes(undefined)) return `${reasons.join(" and ")} in ${text}`;
  }
  return undefined;
}

function typeMisfit(type: string, json: unknown): string | undefined {
  const found: string = json === null ? "null" : Array.isArray(json) ? "array" : typeof json;
  return found === type ? undefined : `${JSON.stringify(json)} is not of the type ${type}`;
}

function shapeMisfit(shape: DescMessage, json: unknown): string | undefined {
  try {
    jsonCodec(shape, { unknownFields: "refuse" }).decode(json);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
