import { afterAll, beforeAll, expect, test } from "vitest";
import { effectOf } from "../../core/calls/operation.ts";
import type { FixtureObject } from "./fixture.ts";
import { valueFor } from "./id_fields.ts";
import { textsOf } from "./json_fields.ts";
import {
  asAda,
  comparable,
  create,
  expectNone,
  find,
  marker,
  methods,
  owned,
  referencedBy,
  useWorld,
  world,
} from "./ownership_rig.ts";

const shareable = owned.filter(({ sharing }) => sharing !== undefined);
/** Objects of the installation that are shared with Ada, by plugin. */
const shared = new Map<string, FixtureObject>();
let cells = 0;

useWorld();
beforeAll(async () => {
  for (const { plugin, sharing, ...fixture } of shareable) {
    const object = await create({ plugin, ...fixture }, "admin");
    await sharing!.share(world, object, world.ada, marker("admin"));
    shared.set(plugin, object);
  }
});
afterAll(() => console.info(`shared objects: ${cells} cells`));

const operations = methods.flatMap((method) =>
  referencedBy(method).filter((fixture) => shareable.includes(fixture))
    .map((fixture) => ({ name: `${method.parent.name}.${method.name}`, kind: fixture.plugin, method, fixture }))
);

test.each(operations)("$name lets users use a shared $kind, never change it", async ({ method, fixture }) => {
  const { find: findWhole, references } = fixture.sharing!;
  const object = shared.get(fixture.plugin)!;
  const whole = await find("admin", findWhole, object.fields);
  expect(textsOf(whole.response)).toContain(object.secrets[0]);
  for (const credential of object.credentials ?? []) expect(textsOf(whole.response)).toContain(credential);
  const others = referencedBy(method).filter((other) => other !== fixture);
  const refersOnly = method.input.fields.every(({ name }) =>
    valueFor(object.fields, method, name) === undefined || references.test(name)
  );
  for (const mixed of [false, true]) {
    const ofAda = async () => {
      const own = await Promise.all(others.map(async (other) => (await create(other)).fields));
      return mixed ? [...own, (await create(fixture)).fields] : own;
    };
    const outcome = await asAda(method, ...await ofAda(), object.fields);
    if (refersOnly) expect(outcome).toMatchObject({ code: 200 });
    else if (effectOf(method) === "read") {
      expect(outcome).toMatchObject({ code: 200 });
      // An operation of another service only filters by the object.
      if (method.parent === findWhole.parent) {
        expect(comparable(outcome)).not.toBe(comparable(await asAda(method, ...await ofAda(), fixture.absent)));
      }
    } else expect(outcome).toMatchObject({ code: 403, reason: "kernel.shared" });
    expectNone(object.credentials ?? [], outcome);
    expect(await find("admin", findWhole, object.fields)).toEqual(whole);
    cells++;
  }
});

test.each(shareable.filter(({ plugin }) => plugin !== "ns_route"))(
  "a shared $plugin does not exist for users with whom it is not shared",
  async ({ plugin, sharing, absent }) => {
    const { fields, secrets } = shared.get(plugin)!;
    const seen = await find("bob", sharing!.find, fields);
    expect(comparable(seen)).toBe(comparable(await find("bob", sharing!.find, absent)));
    expectNone(secrets, seen);
    cells++;
  },
);
