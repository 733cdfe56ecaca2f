import { type DescMethodUnary, fromJson, type JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect } from "vitest";
import { rolesOf } from "../../core/calls/operation.ts";
import { type Outcome, outcomeOf } from "../harness/outcome.ts";
import { generatedServices } from "../rules/generated.ts";
import type { Fields, Fixture, FixtureObject } from "./fixture.ts";
import { fixtures } from "./fixtures.ts";
import { referencesTo, valueFor } from "./id_fields.ts";
import { textsOf } from "./json_fields.ts";
import { firstParty } from "./plugins.ts";
import { openWorld, type World } from "./world.ts";

/** The services of the enabled plugins. */
export const served = firstParty.flatMap(({ manifest }) => manifest.services);
const plugins = firstParty.map(({ manifest }) => manifest.name);
const enabled = fixtures.filter(({ plugin }) => plugins.includes(plugin));

/** The operations that users may call. */
export const methods = (await generatedServices()).filter(({ name }) => served.includes(name))
  .flatMap((service) => service.methods).filter((method) => rolesOf(method).includes("user")) as DescMethodUnary[];
/** The kinds of objects that users own. */
export const owned = enabled.filter(({ owned }) => owned);
/** References to the objects that no user owns. */
export const unownedFields: Record<string, unknown> = {};

export let world: World;
let token: string | undefined;
let markers = 0;

/** Opens the world before the tests of a file, and closes it after them. */
export function useWorld(): void {
  beforeAll(async () => {
    world = await openWorld();
    token = await world.edgehelm.token(world.ada);
    for (const fixture of enabled) {
      if (!fixture.owned) Object.assign(unownedFields, (await create(fixture, "ada")).fields);
    }
  });
  afterAll(() => world.edgehelm[Symbol.asyncDispose]());
}

/** Creates an object of a user, or of the installation. */
export async function create(fixture: Fixture, owner: "ada" | "bob" | "admin" = "ada"): Promise<FixtureObject> {
  return await fixture.create(world, world[owner], marker(owner));
}

/** Returns a unique name of letters only, since numbers in responses are not compared. */
export function marker(prefix: string): string {
  const letters = String(markers++).replace(/\d/g, (digit) => String.fromCharCode(103 + Number(digit)));
  return `${prefix}thing${letters}`;
}

/** Returns the kinds of objects that a request can refer to. */
export function referencedBy(method: DescMethodUnary): Fixture[] {
  return owned.filter(({ absent }) =>
    method.input.fields.some(({ name }) => valueFor(absent, method, name) !== undefined)
  );
}

/** Returns a valid request, apart from the ids under test. */
function baseRequest(method: DescMethodUnary): Record<string, unknown> {
  const json = fixtures.map(({ requests }) => requests?.[method.name]).find((values) => values !== undefined) ?? {};
  const text = JSON.stringify(json).replace("*", () => marker("new"));
  const request: Record<string, unknown> = { ...referencesTo(method, unownedFields) };
  const filled = fromJson(method.input, JSON.parse(text) as JsonObject) as unknown as Record<string, unknown>;
  for (const { name, localName } of method.input.fields) if (name in json) request[localName] = filled[localName];
  return request;
}

/** Calls an operation as Ada with references to objects, of each kind to the last one unless the field is a list. */
export async function asAda(method: DescMethodUnary, ...objects: readonly Fields[]): Promise<Outcome> {
  return await outcomeOf(world.edgehelm, token, method, requestWith(method, ...objects));
}

/** Returns a valid request with references to objects. */
export function requestWith(method: DescMethodUnary, ...objects: readonly Fields[]): Record<string, unknown> {
  return { ...baseRequest(method), ...referencesTo(method, ...objects) };
}

/** Calls an operation that needs nothing but references, as an admin or a user. */
export async function find(caller: "admin" | "bob", method: DescMethodUnary, fields: Fields): Promise<Outcome> {
  const ofCaller = await world.edgehelm.token(world[caller]);
  return await outcomeOf(world.edgehelm, ofCaller, method, referencesTo(method, fields));
}

/** Returns an outcome without numbers and markers, which differ in every request. */
export function comparable({ code, reason, message, response }: Outcome): string {
  const text = JSON.stringify([code, reason, message, response]);
  return text.replace(/\b(ada|bob|admin|new)thing[a-z]+|never\b/g, "NAME").replace(/\d+/g, "#");
}

/** Checks that a response contains none of the values, except those that the request contained. */
export function expectNone(values: readonly string[], { response, message }: Outcome, sent = ""): void {
  const visible = `${message}\n${textsOf(response)}`;
  for (const value of values) if (!sent.includes(value)) expect(visible).not.toContain(value);
}
