import { type DescMessage, type DescMethodUnary, type JsonObject, toJson } from "@bufbuild/protobuf";
import type { TestCaller } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CallError } from "../../harness/call_error.ts";
import { isUnary } from "../../harness/outcome.ts";
import { requestFor } from "../requests.ts";
import { openSettingsWorld, type SettingsWorld } from "../settings_world.ts";
import { type Find, findsOf, type Message, nestedIn } from "./messages.ts";

/** The responses with partial objects in objects, with the reason. */
const PARTIAL: Readonly<Record<string, string>> = {
  "listNSDomainsAfterVersion nsDomains.nsCluster": "nodes receive ids",
  "listNSRecordsAfterVersion nsRecords.nsDomain": "nodes receive ids",
  "listNSRecordsAfterVersion nsRecords.nsDomain.nsCluster": "nodes receive ids",
  "findHTTPAccessLog httpAccessLog.node.nodeCluster": "logs are many: they have ids and names",
  "findAllEnabledNodesWithNodeClusterId nodes.ipAddresses": "users see addresses of nodes only in nodes",
  "listHTTPAccessLogs httpAccessLogs.node.nodeCluster": "logs are many: they have ids and names",
};
/** The fields that only finds contain: a second factor is looked up for a person, not for each object of theirs. */
const OF_FINDS = ["otpLogin"];
const FLAGS = { withInstalled: true };
const ROLES = ["admin", "user"] as const;

let world: SettingsWorld;
beforeAll(async () => {
  world = await openSettingsWorld();
});
afterAll(() => world.edgehelm[Symbol.asyncDispose]());

async function responseOf(method: DescMethodUnary, caller: TestCaller, request: Message): Promise<Message | undefined> {
  try {
    return await world.edgehelm.call(caller, method, request) as unknown as Message;
  } catch (error) {
    if (error instanceof CallError) return undefined;
    throw error;
  }
}

test("finding 8: an object in an object is what its own find returns to the same caller, and has no objects in it", async () => {
  const reads = world.edgehelm.kernel.operations.all.filter(({ effect }) => effect === "read");
  const finds = findsOf(reads.map(({ method }) => method));
  const falsehoods = new Set<string>();
  const compared = new Map<string, number>();
  const cells = reads.flatMap(({ method, roles }) =>
    isUnary(method) ? ROLES.filter((role) => roles.has(role)).map((role) => ({ method, role })) : []
  );
  for (const { method, role } of cells) {
    const caller = world.callers[role]!;
    for (const request of [{ ...requestFor(method, world.objects), ...FLAGS }, {}]) {
      const response = await responseOf(method, caller, request) ?? {};
      const inner = nestedIn(method.output, response, finds).filter(({ depth }) => depth > 1);
      for (const { path, desc, message, depth } of inner) {
        const cell = `${method.name} ${path}`;
        if (cell in PARTIAL || message["id"] === 0n) continue;
        compared.set(desc.name, (compared.get(desc.name) ?? 0) + 1);
        if (depth > 2) falsehoods.add(`${role} ${cell}: is too deep`);
        const expected = await foundBy(finds.get(desc.typeName)!, caller, desc, message, finds);
        for (const difference of differences(expected, plain(desc, message, finds))) {
          falsehoods.add(`${role} ${cell}: ${difference}`);
        }
      }
    }
  }
  expect([...falsehoods]).toEqual([]);
  const names = ["MetricItem", "NSCluster", "NSDomain", "NodeCluster", "NodeRegion", "User"];
  expect([...compared.keys()]).toEqual(expect.arrayContaining(names));
});

/** Returns what the caller finds of an object, without the objects in it; only the id of what the caller cannot find. */
async function foundBy(
  { method, idField, resultField }: Find,
  caller: TestCaller,
  desc: DescMessage,
  { id }: Message,
  finds: ReadonlyMap<string, Find>,
): Promise<JsonObject> {
  const response = await responseOf(method, caller, { [idField]: id });
  const found = response?.[resultField] as Message | undefined;
  return found === undefined ? { id: String(id) } : plain(desc, found, finds);
}

function plain(desc: DescMessage, message: Message, finds: ReadonlyMap<string, Find>): JsonObject {
  const json = toJson(desc, message as never) as JsonObject;
  const objects = desc.fields.filter((field) => field.message !== undefined && finds.has(field.message.typeName));
  for (const { jsonName } of objects) delete json[jsonName];
  for (const name of OF_FINDS) delete json[name];
  return json;
}

function differences(expected: JsonObject, actual: JsonObject): string[] {
  return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap((key) => {
    const [found, nested] = [expected[key], actual[key]].map((value) => JSON.stringify(value) ?? "nothing");
    return found === nested ? [] : [`${key} is ${nested}, and ${found} in the find`];
  });
}
