import { type Call, defineContract, definePlugin, optional, type Plugin } from "edgehelm";
import { type ConformanceOptions, pluginConformance, stub } from "edgehelm/testing";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import helloWorld from "../../../plugins/hello_world/plugin.ts";
import { HelloWorldService } from "../../../plugins/hello_world/proto/service_hello_world_pb.ts";
import nsDomainGroup from "../../../plugins/ns_domain_group/plugin.ts";
import { NSDomainGroupService } from "../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";

const ROLES = "every operation permits exactly the roles and modules of its allow option, over every protocol";
const WIRES = "every operation has the same outcome over every protocol";
const WORKS = "the plugin works with only the contracts that it requires";
const TABLES = "the plugin creates exactly the tables that it declares";

const OF_HELLO_WORLD: ConformanceOptions = { fixture: { create: () => Promise.resolve({}), unrelated: ["id"] } };
const OF_GROUPS: ConformanceOptions = {
  fixture: {
    async create(edgehelm, owner, name) {
      const { nsDomainGroupId } = await edgehelm.call(owner, NSDomainGroupService.method.createNSDomainGroup, { name });
      return { nsDomainGroupId };
    },
    requests: { updateNSDomainGroup: { name: "changed", isOn: true } },
  },
};

for (const [plugin, options] of [[helloWorld, OF_HELLO_WORLD], [nsDomainGroup, OF_GROUPS]] as const) {
  describe(`plugin ${plugin.manifest.name} conforms`, () => {
    for (const { name, run } of pluginConformance(plugin, options)) test(name, run);
  });
}

/** Returns hello_world with defects. */
function altered(sayHello: (call: Call) => string, tables: readonly string[] = [], createdTable?: string): Plugin {
  return definePlugin({
    manifest: { ...helloWorld.manifest, tables },
    migrations: createdTable === undefined ? {} : {
      "0001_create": {
        up: async (db) => void await sql.raw(`create table ${createdTable} (id integer) strict`).execute(db),
      },
    },
    setup: ({ serve }) => serve(HelloWorldService, { sayHello: (_request, call) => ({ result: sayHello(call) }) }),
  });
}

async function errorsOf(plugin: Plugin, options = OF_HELLO_WORLD): Promise<Record<string, string>> {
  const errors: Record<string, string> = {};
  for (const { name, run } of pluginConformance(plugin, options)) {
    await run().catch((error: Error) => errors[name] = error.message);
  }
  return errors;
}

describe("conformance finds", () => {
  test("an operation that fails for a caller with permission", async () => {
    const errors = await errorsOf(altered((call) => {
      if (call.caller.role === "user") throw new Error("no users here");
      return "";
    }));
    expect(errors[ROLES]).toContain("HelloWorldService.SayHello as user 7 over http: should be permitted, got 500");
    expect(errors[ROLES]).not.toContain("as admin");
  });

  test("an operation with a different outcome on each call", async () => {
    let calls = 0;
    const errors = await errorsOf(altered(() => `${calls++}`));
    expect(Object.keys(errors)).toEqual([WIRES]);
    expect(errors[WIRES]).toContain("HelloWorldService.SayHello has different outcomes: http [200,");
  });

  test("an operation that fails without a contract that is optional", async () => {
    const Plans = defineContract<{ name(): string }>("plans");
    const plugin = definePlugin({
      manifest: helloWorld.manifest,
      requires: { plans: optional(Plans) },
      setup: ({ serve, deps }) => serve(HelloWorldService, { sayHello: () => ({ result: deps.plans!.name() }) }),
    });
    const options = { ...OF_HELLO_WORLD, stubs: [stub(Plans, { name: () => "a plan" })] };
    expect(await errorsOf(plugin, options)).toEqual({
      [WORKS]: expect.stringContaining("HelloWorldService.SayHello fails without the contracts that are optional"),
    });
  });

  test("tables that are listed and not created, or created and not listed", async () => {
    expect(await errorsOf(altered(() => "", ["things"]))).toEqual({
      [TABLES]: 'the table "things" is in plugin.json but was not created',
    });
    expect((await errorsOf(altered(() => "", [], "others")))[WORKS]).toContain("others");
  });
});
