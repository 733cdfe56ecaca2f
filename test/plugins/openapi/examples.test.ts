import type { DescMethodUnary, JsonObject } from "@bufbuild/protobuf";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isUnary } from "../../harness/outcome.ts";
import { openSettingsWorld, type SettingsWorld } from "../../matrix/settings_world.ts";
import { requestIn } from "./example_request.ts";
import { EXPECTED_REASONS, MAX_STATE_ERRORS, STATE_CODES } from "./expected_reasons.ts";

// deno-lint-ignore no-explicit-any -- documents are read by their members
type Json = any;
const ROLES = ["admin", "user", "node", "dns", "report", "anonymous"] as const;
/** Objects are created before they are found, and removed at last. */
const STAGES = [
  /^(?:create|add|generate)/,
  /^(?:find|list|count|sum|exist)/,
  /./,
  /^(?:buy|renew)/,
  /^(?:delete|remove|disable)/,
];

const OTHERS = 2;

let world: SettingsWorld;
let document: Json;
let ajv: Ajv2020;
beforeAll(async () => {
  world = await openSettingsWorld();
  document = await (await world.edgehelm.fetch(new Request("http://localhost/openapi.json"))).json();
  ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, "document");
});
afterAll(() => world.edgehelm[Symbol.asyncDispose]());

interface Documented {
  readonly path: string;
  readonly method: DescMethodUnary;
  readonly roles: ReadonlySet<string>;
  readonly request: JsonObject;
  readonly response: Json;
}

function documented(): Documented[] {
  return world.edgehelm.kernel.operations.all.flatMap(({ path, method, roles }) => {
    if (!isUnary(method)) return [];
    const { requestBody, responses } = document.paths[path].post;
    const request = requestBody.content["application/json"].example;
    return [{ path, method, roles, request, response: responses[200].content["application/json"].example }];
  }).sort((one, other) => stageOf(one) - stageOf(other));
}

function stageOf({ method: { localName } }: Documented): number {
  const stage = STAGES.findIndex((pattern, index) => index !== OTHERS && pattern.test(localName));
  return stage < 0 ? OTHERS : stage;
}

function validator(path: string, ...rest: string[]): ValidateFunction {
  const pointer = ["paths", path, "post", ...rest, "content", "application/json", "schema"]
    .map((part) => part.replaceAll("/", "~1")).join("/");
  return ajv.compile({ $ref: `document#/${pointer}` });
}

test("every operation has examples that fit their schemas", () => {
  const misfits = documented().flatMap(({ path, request, response }) =>
    ([[validator(path, "requestBody"), request], [validator(path, "responses", "200"), response]] as const)
      .flatMap(([fits, example]) => fits(example) ? [] : [`${path}: ${ajv.errorsText(fits.errors)}`])
  );
  expect(misfits).toEqual([]);
  expect(documented().length).toBe(Object.keys(document.paths).length);
});

test("every example of a request works, and gets the response that the document describes", async () => {
  const reasons: Record<string, string> = {};
  const misfits: string[] = [];
  const ofState: string[] = [];
  for (const operation of documented()) {
    const { path, roles, response } = operation;
    const body = requestIn(world, operation.method, operation.request);
    let received: Json;
    for (const role of ROLES.filter((one) => roles.has(one))) {
      const tried: Json = await world.edgehelm.post(path, body, world.callers[role]!);
      if (received === undefined || tried.code === 200) received = tried;
      if (tried.code === 200) break;
    }
    const fits = validator(path, "responses", "200");
    if (!fits(received)) misfits.push(`${path}: ${ajv.errorsText(fits.errors)}`);
    if (STATE_CODES.includes(received.code)) ofState.push(path);
    else if (received.code !== 200) reasons[path] = received.reason;
    else {
      const unshown = Object.keys(received.data).filter((name) => !(name in response.data));
      misfits.push(...unshown.map((name) => `${path}: the example has no ${name}`));
    }
  }
  expect(misfits).toEqual([]);
  expect(reasons).toEqual(EXPECTED_REASONS);
  expect(ofState.length, ofState.join("\n")).toBeLessThanOrEqual(MAX_STATE_ERRORS);
});
