import { type Contract, defineContract, defineUses, optional, type Plugin } from "edgehelm";
import { Commands } from "edgehelm/runtime";
import { refuseWhenUsed } from "edgehelm/rows";
import { as, TestClock, testKernel } from "edgehelm/testing";
import { type Kysely, sql } from "kysely";
import { describe, expect, test } from "vitest";
import { kernelErrors } from "../../../core/base/errors.ts";
import { createLogger } from "../../../core/base/log.ts";
import { ProbeService } from "../../fixtures/probe/proto/probe_pb.ts";
import { probePlugin } from "../probe.ts";
import { plugin } from "./rig.ts";

const ShelfUses = defineUses("shelves");
const Probes: Contract<object> = defineContract("probe");
const Readers: Contract<object> = defineContract("reader");

/** A plugin whose deletions others guard; its command deletes what nothing uses. */
const shelves = plugin("shelves", {
  more: { contributes: ["kernel.commands"] },
  setup({ contribute, contributions }) {
    const uses = contributions(ShelfUses);
    contribute(Commands, {
      name: "shelves delete",
      usage: "shelves delete",
      async run(call) {
        await refuseWhenUsed(call, 1n, uses, kernelErrors.conflict);
        return ["deleted"];
      },
    });
  },
});
/** Plugins that need the broken one, directly and through another one, and one that can do without. */
const reader = plugin("reader", { requires: { probes: Probes }, setup: ({ provide }) => provide(Readers, {}) });
const indirect = plugin("indirect", { requires: { readers: Readers } });
let optionalValue: unknown;
const free = plugin("free", {
  requires: { probes: optional(Probes) },
  setup: ({ deps }) => void (optionalValue = (deps as { probes: unknown }).probes),
});

type AnySpec = { -readonly [Key in keyof Plugin]?: Plugin[Key] };

/** The plugin "probe" with operations, a contract and a guard, and what breaks it. */
function broken(how: (spec: AnySpec) => AnySpec): Plugin {
  const probe = probePlugin((_db, { provide, contribute, route, every }) => {
    provide(Probes, {});
    contribute(ShelfUses, { referencesTo: async () => ["a probe"] });
    route("/probe", () => new Response("probe"));
    every({ name: "tick", everySeconds: 60, run: async () => {} });
    return {};
  });
  const manifest = { ...probe.manifest, contributes: ["shelves.uses"], routes: ["/probe"] };
  return { ...probe, manifest, ...how({ ...probe, manifest }) } as Plugin;
}

const BREAKS: Readonly<Record<string, (spec: AnySpec) => AnySpec>> = {
  "a set-up that throws": ({ setup }) => ({
    async setup(own) {
      await setup!(own);
      throw new Error("it broke");
    },
  }),
  "a start that throws": ({ setup }) => ({
    async setup(own) {
      await setup!(own);
      own.onStart(() => Promise.reject(new Error("it broke")));
    },
  }),
  "a migration that fails": ({ migrations }) => ({
    migrations: {
      ...migrations,
      "0002_break": {
        async up(db: Kysely<never>) {
          await sql`insert into probes values ('undone')`.execute(db);
          throw new Error("it broke");
        },
      },
    },
  }),
};

describe.each(Object.entries(BREAKS))("%s", (name, how) => {
  test("takes out the plugin and those that need it, and the rest serves", async () => {
    await using healthy = await testKernel({ plugins: [shelves, free] });
    await healthy.stop();
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    await using edgehelm = await testKernel({
      ...{ plugins: [indirect, reader, broken(how), free, shelves], mayDegrade: true, directory: healthy.directory },
      log: createLogger({ level: "info", write, clock: new TestClock() }),
    });
    const { kernel } = edgehelm;
    const names = ["probe", "reader", "indirect"];
    expect(kernel.failedPlugins().map(({ manifest: { name } }) => name)).toEqual(names);
    const logged = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === "plugin does not run");
    expect(logged.map(({ plugin }) => plugin)).toEqual(names);
    expect(logged[0].error).toContain("it broke");
    expect(logged[1].error).toBe('it needs plugin "probe", which does not run');
    const ready = await edgehelm.fetch(new Request("http://localhost/readyz"));
    expect([ready.status, await ready.text()]).toEqual([200, "degraded: probe, reader, indirect\n"]);

    const unavailable = { code: 503, message: 'the plugin "probe" does not run; the log of the server says why' };
    expect(await edgehelm.post("/ProbeService/look", {})).toMatchObject(unavailable);
    for (const wire of ["grpc", "connect", "grpcweb"] as const) {
      await expect(edgehelm.call(as.admin(), ProbeService.method.look, {}, wire), wire).rejects.toMatchObject({
        code: 503,
      });
    }
    expect((await edgehelm.fetch(new Request("http://localhost/probe"))).status).toBe(404);
    await expect(kernel.runJob("probe.tick")).rejects.toThrow('job "probe.tick" does not exist');
    // it was provided before a start that fails
    expect(optionalValue === undefined).toBe(name !== "a start that throws");

    const remove = kernel.commands.find(({ name }) => name === "shelves delete")!;
    await expect(remove.run(kernel.systemCall("test"), [])).rejects.toMatchObject(
      { reason: "kernel.unavailable", message: unavailable.message },
    );
    await edgehelm.stop();

    const strict = testKernel({ plugins: [broken(how)], directory: healthy.directory });
    await expect(strict).rejects.toThrow("it broke");
  });
});

test("a failed migration of a plugin leaves nothing behind, and runs when it is mended", async () => {
  await using healthy = await testKernel({ plugins: [broken((spec) => spec)] });
  await healthy.stop();
  const { directory } = healthy;
  const degraded = await testKernel({
    ...{ plugins: [broken(BREAKS["a migration that fails"]!)], mayDegrade: true, directory },
  });
  const rows = { sql: "select * from probes", scope: { owner: "kernel", tables: undefined } };
  expect((await degraded.engine.reader.run(rows, [])).rows).toEqual([]);
  await degraded.stop();
  const mended = broken(({ migrations }) => ({
    migrations: {
      ...migrations,
      "0002_break": { up: async (db: Kysely<never>) => void await sql`insert into probes values ('x')`.execute(db) },
    },
  }));
  const again = await testKernel({ plugins: [mended], mayDegrade: true, directory });
  expect(again.kernel.failedPlugins()).toEqual([]);
  expect((await again.engine.reader.run(rows, [])).rows).toEqual([["x"]]);
  await again.stop();
});

test("a set-up that does not end takes its plugin out after the time limit", async () => {
  await using healthy = await testKernel({ plugins: [] });
  await healthy.stop();
  const clock = new TestClock();
  const reached = Promise.withResolvers<void>();
  const endless = plugin("endless", {
    setup() {
      reached.resolve();
      return new Promise(() => {});
    },
  });
  const starting = testKernel({ plugins: [endless], mayDegrade: true, directory: healthy.directory, clock });
  await reached.promise;
  clock.advance(31);
  const edgehelm = await starting;
  expect(edgehelm.kernel.failedPlugins()).toMatchObject([
    { manifest: { name: "endless" }, error: expect.stringContaining("it took more than 30 s") },
  ]);
  await edgehelm.stop();
});

test("the first start of an installation needs all of its plugins", async () => {
  const start = testKernel({ plugins: [broken(BREAKS["a set-up that throws"]!)], mayDegrade: true });
  await expect(start).rejects.toThrow("the first start of an installation needs all of its plugins");
});

test("what plugin.json does not declare stops the start all the same", async () => {
  const undeclared = plugin("undeclared", { setup: ({ route }) => route("/page", () => new Response()) });
  await expect(testKernel({ plugins: [undeclared], mayDegrade: true })).rejects.toThrow("serves /page");
});
