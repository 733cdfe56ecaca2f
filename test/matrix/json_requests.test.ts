import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentOf, type JsonContent } from "../../plugins/openapi/json_content.ts";
import { CallError } from "../harness/call_error.ts";
import { isUnary } from "../harness/outcome.ts";
import { fieldName, isJsonField } from "../rules/json_fields.ts";
import { requestFor } from "./requests.ts";
import { openSettingsWorld, type SettingsWorld } from "./settings_world.ts";

const FILE_CACHE = { type: "file" };
const EMAIL = { mediaType: "email" };
const MONTHLY = { priceType: "period" };

/** The values without which an operation refuses a request before it reads the JSON, by the name of the operation. */
const VALUES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  createAdmin: { username: "heidi", password: "heidi sings in the rain", fullname: "Heidi" },
  updateAdmin: { username: "grace", fullname: "Grace" },
  updateNodeClusterSystemService: { type: "systemd" },
  createServer: { type: "httpProxy" },
  "createServer.tcpJSON": { type: "tcpProxy" },
  "createServer.tlsJSON": { type: "tcpProxy" },
  "createServer.udpJSON": { type: "udpProxy" },
  createHTTPCachePolicy: FILE_CACHE,
  updateHTTPCachePolicy: FILE_CACHE,
  createLog: { level: "info" },
  sendMediaMessage: EMAIL,
  createMessageMediaInstance: EMAIL,
  "createMessageMediaInstance.rateJSON": { mediaType: "telegram", paramsJSON: bytesOf({ token: "t" }) },
  updateMessageMediaInstance: EMAIL,
  updateMetricChart: { type: "pie" },
  createPlan: MONTHLY,
  updatePlan: MONTHLY,
  updateUserAccount: { eventType: "charge", delta: 1 },
};

let world: SettingsWorld;
beforeAll(async () => {
  world = await openSettingsWorld();
});
afterAll(() => world.edgehelm[Symbol.asyncDispose]());

test("requests whose JSON does not have the declared shape are refused", async () => {
  const others: string[] = [];
  let count = 0;
  for (const { method, roles } of world.edgehelm.kernel.operations.all) {
    if (!isUnary(method)) continue;
    const caller = Object.entries(world.callers).find(([role]) => roles.has(role as "admin"))![1];
    for (const field of method.input.fields.filter(isJsonField)) {
      const content = contentOf(field);
      if (content === undefined) continue;
      const { path, json } = misfit(field, content);
      const values = { ...VALUES[method.name], ...VALUES[`${method.name}.${field.name}`] };
      const fields = { ...requestFor(method, world.objects), ...values, [field.localName]: bytesOf(json) };
      const request = { name: "x", ...fields };
      const message = await world.edgehelm.call(caller, method, request).then(() => "", messageOf);
      if (!message.startsWith(path)) others.push(`${method.name} ${fieldName(field)}: ${message}`);
      count++;
    }
  }
  expect(others).toEqual([]);
  expect(count).toBeGreaterThan(100);
});

function bytesOf(json: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(json));
}

function messageOf(error: unknown): string {
  if (error instanceof CallError) return error.message;
  throw error;
}

/** Returns JSON in which the last field of the declared message has a value of another type, and its path. */
function misfit(field: DescField, { shapes: [shape], isList }: JsonContent): { path: string; json: unknown } {
  if (typeof shape === "string") return { path: field.name, json: isList ? [null] : 1 };
  const last = (shape as DescMessage).fields.at(-1)!;
  const takesText = last.scalar === ScalarType.STRING || last.fieldKind === "list";
  const json = { [last.name]: takesText ? 1 : "text" };
  return isList
    ? { path: `${field.name}[0].${last.name}: `, json: [json] }
    : { path: `${field.name}.${last.name}: `, json };
}
