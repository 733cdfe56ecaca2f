import { type DescField, ScalarType } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type JsonContent, jsonContentOf, type JsonType } from "edgehelm/wire";
import { CallError } from "../harness/call_error.ts";
import { isUnary } from "../harness/outcome.ts";
import { isJsonField } from "../rules/json_fields.ts";
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
  updateMessageReceivers: { role: "node" },
  sendMediaMessage: EMAIL,
  createMessageMediaInstance: EMAIL,
  "createMessageMediaInstance.rateJSON": { mediaType: "telegram", paramsJSON: bytesOf({ token: "t" }) },
  updateMessageMediaInstance: EMAIL,
  updateMetricChart: { type: "pie" },
  createPlan: MONTHLY,
  updatePlan: MONTHLY,
  updateUserAccount: { eventType: "charge", delta: 1 },
};

/** The operations that users may call too, but whose objects in the world are the installation's. */
const OF_INSTALLATION: ReadonlySet<string> = new Set([
  "updateHTTPFirewallInboundConfig",
  "updateHTTPFirewallPolicyGroups",
]);
/** The fields with texts of which only some are known, each with one. */
const KNOWN_TEXTS: Readonly<Record<string, string>> = { featuresJSON: "server.waf" };
/** A value of each JSON type. */
const SAMPLES: Readonly<Record<JsonType, unknown>> = { object: {}, string: "text", number: 1.5, boolean: true };

let world: SettingsWorld;
beforeAll(async () => {
  world = await openSettingsWorld();
});
afterAll(() => world.edgehelm[Symbol.asyncDispose]());

test("requests whose JSON does not have the declared shape are refused", async () => {
  const outcomes = await outcomesWith(({ name }, { shapes: [shape], isList }) => {
    if (typeof shape === "string") return { path: name, json: isList ? [null] : 1 };
    const last = shape!.fields.at(-1)!;
    const takesText = last.scalar === ScalarType.STRING || last.fieldKind === "list";
    const json = { [last.name]: takesText ? 1 : "text" };
    return isList ? { path: `${name}[0].${last.name}: `, json: [json] } : { path: `${name}.${last.name}: `, json };
  });
  expect(outcomes.filter(({ path, message }) => !message.startsWith(path))).toEqual([]);
  expect(outcomes.length).toBeGreaterThan(100);
});

test("requests may contain any JSON of a declared type", async () => {
  const outcomes = await outcomesWith(({ name }, { shapes, isList }) => {
    if (typeof shapes[0] !== "string") return undefined;
    const samples = shapes.map((type) => KNOWN_TEXTS[name] ?? SAMPLES[type as JsonType]);
    return { path: name, json: isList ? samples : samples[0] };
  });
  expect(outcomes.filter(({ path, message }) => message.startsWith(path))).toEqual([]);
  expect(outcomes.length).toBeGreaterThan(4);
});

interface Sample {
  /** The path that an error about the JSON begins with. */
  readonly path: string;
  readonly json: unknown;
}

/** Sends JSON in every request field that declares it. Returns the errors, which are empty for successful calls. */
async function outcomesWith(sampleOf: (field: DescField, content: JsonContent) => Sample | undefined) {
  const outcomes: { rpc: string; path: string; message: string }[] = [];
  for (const { method, roles } of world.edgehelm.kernel.operations.all) {
    if (!isUnary(method)) continue;
    // a user, if possible: objects of the installation must not refer to those of users
    const { user, ...others } = world.callers;
    const isForUser = roles.has("user") && !OF_INSTALLATION.has(method.name);
    const caller = isForUser ? user! : Object.entries(others).find(([role]) => roles.has(role as "admin"))![1];
    for (const field of method.input.fields.filter(isJsonField)) {
      const content = jsonContentOf(field);
      const sample = content && sampleOf(field, content);
      if (sample === undefined) continue;
      const values = { ...VALUES[method.name], ...VALUES[`${method.name}.${field.name}`] };
      const fields = { ...requestFor(method, world.objects), ...values, [field.localName]: bytesOf(sample.json) };
      const message = await world.edgehelm.call(caller, method, { name: "x", ...fields }).then(() => "", messageOf);
      outcomes.push({ rpc: method.name, path: sample.path, message });
    }
  }
  return outcomes;
}

function bytesOf(json: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(json));
}

function messageOf(error: unknown): string {
  if (error instanceof CallError) return error.message;
  throw error;
}
