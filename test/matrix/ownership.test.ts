import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FixtureObject } from "./fixture.ts";
import { fixtures } from "./fixtures.ts";
import { covers, idFields, personFields, referencesTo } from "./id_fields.ts";
import { idPaths, isJSON } from "./json_fields.ts";
import {
  asAda,
  comparable,
  create,
  expectNone,
  methods,
  owned,
  referencedBy,
  unownedFields,
  useWorld,
  world,
} from "./ownership_rig.ts";

/** The JSON fields that refer to no object. */
const shapes: Readonly<Record<string, unknown>> = Object.assign({}, ...fixtures.map((fixture) => fixture.shapes));
/** The objects of others, by plugin. */
const ofBob = new Map<string, FixtureObject>();
const ofInstallation = new Map<string, FixtureObject>();
let cells = 0;

useWorld();
beforeAll(async () => {
  for (const fixture of owned) {
    ofBob.set(fixture.plugin, await create(fixture, "bob"));
    if (fixture.ofInstallation !== false) ofInstallation.set(fixture.plugin, await create(fixture, "admin"));
  }
});
afterAll(() => console.info(`ownership matrix: ${cells} cells of ${methods.length} operations`));

async function snapshotOfBob(): Promise<unknown[]> {
  return await Promise.all(owned.map((fixture) => fixture.all?.(world, world.bob)));
}

describe.each(methods.map((method) => ({ name: `${method.parent.name}.${method.name}`, method })))(
  "$name",
  ({ method }) => {
    const referenced = referencedBy(method);

    test("has a fixture for every field that refers to an object, also in JSON", () => {
      const covered = [unownedFields, ...owned.map(({ absent }) => absent)];
      const uncovered = idFields(method).filter((field) =>
        !covered.some((fields) => covers(fields, method, field.name)) && !(isJSON(field) && field.name in shapes)
      );
      expect(uncovered.map(({ name }) => name), "add it to a file in test/matrix/fixtures").toEqual([]);
    });

    test.each(referenced.map((fixture) => ({ kind: fixture.plugin, fixture })))(
      "treats another owner's $kind as if it did not exist",
      async ({ fixture }) => {
        const others = referenced.filter((other) => other !== fixture);
        const ofAda = async () => await Promise.all(others.map(async (other) => (await create(other)).fields));
        const own = await asAda(method, ...await ofAda(), (await create(fixture)).fields);
        expect(own, "with ids of the caller's own objects").toMatchObject({ code: 200 });
        const before = await snapshotOfBob();
        const foreignObjects = [ofBob.get(fixture.plugin)!];
        const installations = ofInstallation.get(fixture.plugin);
        if (installations !== undefined && fixture.toldBy?.includes(method.name) !== true) {
          foreignObjects.push(installations);
        }
        for (const object of foreignObjects) {
          for (const mixed of [false, true]) {
            const otherFields = async () => [...await ofAda(), ...(mixed ? [(await create(fixture)).fields] : [])];
            const absent = await asAda(method, ...await otherFields(), fixture.absent);
            const foreign = await asAda(method, ...await otherFields(), object.fields);
            expect(comparable(foreign)).toBe(comparable(absent));
            expectNone(object.secrets, foreign, JSON.stringify(referencesTo(method, object.fields), bigintReplacer));
            cells++;
          }
        }
        expect(await snapshotOfBob()).toEqual(before);
      },
    );

    if (personFields(method).length === 0) return;
    test("ignores the id of another user or an admin", async () => {
      const before = await snapshotOfBob();
      const persons = (id: bigint) => Object.fromEntries(personFields(method).map(({ name }) => [name, id]));
      const objects = await Promise.all(referenced.map(async (fixture) => (await create(fixture)).fields));
      const outcome = await asAda(method, ...objects, persons(world.bob.role === "user" ? world.bob.id : 0n));
      for (const object of ofBob.values()) expectNone(object.secrets, outcome);
      expect(await snapshotOfBob()).toEqual(before);
      expect(outcome.code).not.toBe(500);
      cells++;
    });
  },
);

/** The request fields that are searched for. */
const SEARCHED = ["keyword", "name", "tag", "domain", "serverName", "filename"];
const searches = methods.flatMap((method) =>
  method.input.fields.filter(({ name }) =>
    SEARCHED.includes(name) && /^(find|list|count|check|exist)/.test(method.name)
  )
    .map((field) => ({ title: `${method.name} by ${field.name}`, method, field }))
);

test.each(searches)("$title finds nothing of other owners", async ({ method, field }) => {
  const search = (text: string) => asAda(method, { [field.name]: text });
  const nothing = comparable(await search("adathingzzz"));
  for (const { secrets } of [...ofBob.values(), ...ofInstallation.values()]) {
    const found = await search(secrets[0]!);
    expect(comparable(found)).toBe(nothing);
    cells++;
  }
});

test.each(fixtures.flatMap(({ shapes }) => Object.entries(shapes ?? {})))("%s refers to no object", (_name, shape) => {
  expect(shape === undefined ? [] : idPaths(shape)).toEqual([]);
});

function bigintReplacer(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}` : value;
}
