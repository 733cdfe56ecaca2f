import { type DescMethodUnary, fromJson, type JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rolesOf } from "../../core/calls/operation.ts";
import { type Outcome, outcomeOf } from "../harness/outcome.ts";
import { generatedServices } from "../rules/generated.ts";
import type { Fields, Fixture, FixtureObject } from "./fixture.ts";
import { fixtures } from "./fixtures.ts";
import { covers, idFields, personFields, referencesTo, valueFor } from "./id_fields.ts";
import { firstParty } from "./plugins.ts";
import { openWorld, type World } from "./world.ts";

const served = firstParty.flatMap(({ manifest }) => manifest.services);
const methods = (await generatedServices()).filter(({ name }) => served.includes(name))
  .flatMap((service) => service.methods).filter((method) => rolesOf(method).includes("user")) as DescMethodUnary[];
const plugins = firstParty.map(({ manifest }) => manifest.name);
const owned = fixtures.filter((fixture) => fixture.owned && plugins.includes(fixture.plugin));
const shared = fixtures.filter((fixture) => !fixture.owned && plugins.includes(fixture.plugin));

let world: World;
let token: string | undefined;
/** Bob's object of each kind, by plugin. */
const objectsOfBob = new Map<string, FixtureObject>();
/** References to the objects that no user owns. */
const sharedFields: Record<string, unknown> = {};
let markers = 0;

beforeAll(async () => {
  world = await openWorld();
  token = await world.edgehelm.token(world.ada);
  for (const fixture of shared) Object.assign(sharedFields, (await create(fixture)).fields);
  for (const fixture of owned) objectsOfBob.set(fixture.plugin, await create(fixture, "bob"));
});
afterAll(() => world.edgehelm[Symbol.asyncDispose]());

function create(fixture: Fixture, username: "ada" | "bob" = "ada"): Promise<FixtureObject> {
  return fixture.create(world, world[username], marker(username));
}

/** Returns a unique name of letters only, since numbers in responses are not compared. */
function marker(prefix: string): string {
  const letters = String(markers++).replace(/\d/g, (digit) => String.fromCharCode(103 + Number(digit)));
  return `${prefix}thing${letters}`;
}

/** Returns a valid request, apart from the ids under test. */
function baseRequest(method: DescMethodUnary): Record<string, unknown> {
  const json = fixtures.map(({ requests }) => requests?.[method.name]).find((values) => values !== undefined) ?? {};
  const text = JSON.stringify(json).replace("*", () => marker("new"));
  const request: Record<string, unknown> = { ...referencesTo(method, sharedFields) };
  const filled = fromJson(method.input, JSON.parse(text) as JsonObject) as unknown as Record<string, unknown>;
  for (const { name, localName } of method.input.fields) if (name in json) request[localName] = filled[localName];
  return request;
}

async function asAda(method: DescMethodUnary, ...objects: readonly Fields[]): Promise<Outcome> {
  return await outcomeOf(world.edgehelm, token, method, {
    ...baseRequest(method),
    ...referencesTo(method, ...objects),
  });
}

/** Returns an outcome without numbers and markers, which differ in every request. */
function comparable({ code, reason, message, response }: Outcome): string {
  const text = JSON.stringify([code, reason, message, response]);
  return text.replace(/\b(ada|bob|new)thing[a-z]+|never\b/g, "NAME").replace(/\d+/g, "#");
}

async function snapshotOfBob(): Promise<unknown[]> {
  return await Promise.all(owned.map((fixture) => fixture.all?.(world, world.bob)));
}

function expectNoSecretsOf(object: FixtureObject, { response, message }: Outcome, sent: string): void {
  const visible = JSON.stringify([response, message]);
  for (const secret of object.secrets) if (!sent.includes(secret)) expect(visible).not.toContain(secret);
}

describe.each(methods.map((method) => ({ name: `${method.parent.name}.${method.name}`, method })))(
  "$name",
  ({ method }) => {
    const referenced = owned.filter(({ absent }) =>
      method.input.fields.some(({ name }) => valueFor(absent, method, name) !== undefined)
    );

    test("has a fixture for every field that refers to an object", () => {
      const covered = [sharedFields, ...owned.map(({ absent }) => absent)];
      const uncovered = idFields(method).filter(({ name }) => !covered.some((fields) => covers(fields, method, name)));
      expect(uncovered.map(({ name }) => name), "add it to a file in test/matrix/fixtures").toEqual([]);
    });

    test.each(referenced.map((fixture) => ({ kind: fixture.plugin, fixture })))(
      "treats another user's $kind as if it did not exist",
      async ({ fixture }) => {
        const others = referenced.filter((other) => other !== fixture);
        const ofAda = async () => await Promise.all(others.map(async (other) => (await create(other)).fields));
        const own = await asAda(method, ...await ofAda(), (await create(fixture)).fields);
        expect(own, "with ids of the caller's own objects").toMatchObject({ code: 200 });
        const bob = objectsOfBob.get(fixture.plugin)!;
        const before = await snapshotOfBob();
        for (const mixed of [false, true]) {
          const otherFields = async () => [...await ofAda(), ...(mixed ? [(await create(fixture)).fields] : [])];
          const absent = await asAda(method, ...await otherFields(), fixture.absent);
          const foreign = await asAda(method, ...await otherFields(), bob.fields);
          expect(comparable(foreign)).toBe(comparable(absent));
          expectNoSecretsOf(bob, foreign, JSON.stringify(referencesTo(method, bob.fields), bigintReplacer));
          expect(await snapshotOfBob()).toEqual(before);
        }
      },
    );

    if (personFields(method).length === 0) return;
    test("ignores the id of another user or an admin", async () => {
      const before = await snapshotOfBob();
      const persons = (id: bigint) => Object.fromEntries(personFields(method).map(({ name }) => [name, id]));
      const objects = await Promise.all(referenced.map(async (fixture) => (await create(fixture)).fields));
      const outcome = await asAda(method, ...objects, persons(world.bob.role === "user" ? world.bob.id : 0n));
      for (const object of objectsOfBob.values()) expectNoSecretsOf(object, outcome, "");
      expect(await snapshotOfBob()).toEqual(before);
      expect(outcome.code).not.toBe(500);
    });
  },
);

function bigintReplacer(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}` : value;
}
