import { afterAll, beforeAll, expect, test } from "vitest";
import { createLogger } from "../../core/base/log.ts";
import { systemClock } from "../../core/base/clock.ts";
import { fixtures } from "./fixtures.ts";
import { firstParty } from "./plugins.ts";
import { openWorld, type World } from "./world.ts";
import { Inspection } from "../../core/kernel/inspection.ts";
import { definePlugin } from "edgehelm";

const plugins = firstParty.map(({ manifest }) => manifest.name);
let logged = "";
let inspection!: Inspection;
let world: World;
beforeAll(async () => {
  const inspector = definePlugin({
    manifest: { name: "inspector", version: "1.0.0", kernel: "^1", services: [], tables: [] },
    requires: { inspection: Inspection },
    setup: ({ deps }) => void (inspection = deps.inspection),
  });
  const log = createLogger({ level: "warn", write: (line) => logged += line, clock: systemClock });
  world = await openWorld({ plugins: [inspector], log });
  for (const fixture of fixtures.filter(({ plugin }) => plugins.includes(plugin))) {
    await fixture.create(world, fixture.owned ? world.ada : world.admin, "work");
  }
});
afterAll(() => world.edgehelm[Symbol.asyncDispose]());

test("every job of every plugin runs on a filled database, now and after two months", async () => {
  const { edgehelm: { kernel }, clock } = world;
  const names = (await inspection.jobs(kernel.systemCall("test"))).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(30);
  for (const days of [0, 60]) {
    clock.advance(days * 86_400);
    for (const name of names) await kernel.runJob(name);
  }
  expect(logged.split("\n").filter((line) => /"message":"(job failed|events not delivered)"/.test(line))).toEqual([]);
});
