import { type DescMethodUnary, fromJson, type JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rolesOf } from "../../core/calls/operation.ts";
import { type Outcome, outcomeOf } from "../harness/outcome.ts";
import { generatedServices } from "../rules/generated.ts";
import type { Fields, Fixture, Made } from "./fixture.ts";
import { fixtures } from "./fixtures.ts";
import { covers, idFields, naming, personFields, valueFor } from "./id_fields.ts";
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
/** Bob's one object of each kind, by plugin. */
const bobs = new Map<string, Made>();
/** What nobody owns. */
const common: Record<string, unknown> = {};
let made = 0;

beforeAll(async () => {
  world = await openWorld();
  token = await world.edgehelm.token(world.ada);
  for (const fixture of shared) Object.assign(common, (await make(fixture)).fields);
  for (const fixture of owned) bobs.set(fixture.plugin, await make(fixture, "bob"));
});
afterAll(() => world.edgehelm[Symbol.asyncDispose]());

function make(fixture: Fixture, who: "ada" | "bob" = "ada"): Promise<Made> {
  return fixture.make(world, world[who], marker(who));
}

/** A word of letters only, since numbers in answers are not compared. */
function marker(who: string): string {
  const letters = String(made++).replace(/\d/g, (digit) => String.fromCharCode(103 + Number(digit)));
  return `${who}thing${letters}`;
}

/** What the request needs besides the ids that are tried. */
function base(method: DescMethodUnary): Record<string, unknown> {
  const json = fixtures.map(({ requests }) => requests?.[method.name]).find((one) => one !== undefined) ?? {};
  const text = JSON.stringify(json).replace("*", () => marker("new"));
  const request: Record<string, unknown> = { ...naming(method, common) };
  const filled = fromJson(method.input, JSON.parse(text) as JsonObject) as unknown as Record<string, unknown>;
  for (const { name, localName } of method.input.fields) if (name in json) request[localName] = filled[localName];
  return request;
}

async function asAda(method: DescMethodUnary, ...objects: readonly Fields[]): Promise<Outcome> {
  return await outcomeOf(world.edgehelm, token, method, { ...base(method), ...naming(method, ...objects) });
}

/** Numbers apart, and names that are new in every request. */
function comparable({ code, reason, message, answer }: Outcome): string {
  const text = JSON.stringify([code, reason, message, answer]);
  return text.replace(/\b(ada|bob|new)thing[a-z]+|never\b/g, "NAME").replace(/\d+/g, "#");
}

async function everythingOfBob(): Promise<unknown[]> {
  return await Promise.all(owned.map((fixture) => fixture.all?.(world, world.bob)));
}

function expectNothingOf(bob: Made, { answer, message }: Outcome, sent: string): void {
  const shown = JSON.stringify([answer, message]);
  for (const secret of bob.secrets) if (!sent.includes(secret)) expect(shown).not.toContain(secret);
}

describe.each(methods.map((method) => ({ name: `${method.parent.name}.${method.name}`, method })))(
  "$name",
  ({ method }) => {
    const fixture = owned.filter(({ absent }) =>
      method.input.fields.some(({ name }) => valueFor(absent, method, name) !== undefined)
    );

    test("has a fixture for every field that names an object", () => {
      const known = [common, ...owned.map(({ absent }) => absent)];
      const uncovered = idFields(method).filter(({ name }) => !known.some((fields) => covers(fields, method, name)));
      expect(uncovered.map(({ name }) => name), "add it to test/matrix/fixtures.ts").toEqual([]);
    });

    test.each(fixture.map((one) => ({ kind: one.plugin, one })))(
      "answers for another user's $kind as for none at all",
      async ({ one }) => {
        const others = fixture.filter((other) => other !== one);
        const ofAda = async () => await Promise.all(others.map(async (other) => (await make(other)).fields));
        const own = await asAda(method, ...await ofAda(), (await make(one)).fields);
        expect(own, "with ids of the caller's own").toMatchObject({ code: 200 });
        const bob = bobs.get(one.plugin)!;
        const before = await everythingOfBob();
        for (const mixed of [false, true]) {
          const beside = async () => [...await ofAda(), ...(mixed ? [(await make(one)).fields] : [])];
          const none = await asAda(method, ...await beside(), one.absent);
          const foreign = await asAda(method, ...await beside(), bob.fields);
          expect(comparable(foreign)).toBe(comparable(none));
          expectNothingOf(bob, foreign, JSON.stringify(naming(method, bob.fields), stringified));
          expect(await everythingOfBob()).toEqual(before);
        }
      },
    );

    if (personFields(method).length === 0) return;
    test("takes no notice of another user's or an admin's id", async () => {
      const before = await everythingOfBob();
      const persons = (id: bigint) => Object.fromEntries(personFields(method).map(({ name }) => [name, id]));
      const objects = await Promise.all(fixture.map(async (one) => (await make(one)).fields));
      const outcome = await asAda(method, ...objects, persons(world.bob.role === "user" ? world.bob.id : 0n));
      for (const bob of bobs.values()) expectNothingOf(bob, outcome, "");
      expect(await everythingOfBob()).toEqual(before);
      expect(outcome.code).not.toBe(500);
    });
  },
);

function stringified(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}` : value;
}
