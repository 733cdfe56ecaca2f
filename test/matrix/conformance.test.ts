import { type Call, definePlugin, type Plugin } from "edgehelm";
import { pluginConformance } from "edgehelm/testing";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import helloWorld from "../../plugins/hello_world/plugin.ts";
import { HelloWorldService } from "../../plugins/hello_world/proto/service_hello_world_pb.ts";
import nsDomainGroup from "../../plugins/ns_domain_group/plugin.ts";

const ROLES = "every operation lets in exactly the callers that its allow option names, over every wire";
const WIRES = "every operation ends alike over every wire";
const BOOTS = "the plugin boots with nothing but the contracts that it requires";
const TABLES = "the plugin makes the tables that it lists, and no others";

for (const plugin of [helloWorld, nsDomainGroup]) {
  describe(`plugin ${plugin.manifest.name} conforms`, () => {
    for (const { name, run } of pluginConformance(plugin)) test(name, run);
  });
}

/** hello_world with something wrong. */
function altered(sayHello: (call: Call) => string, tables: readonly string[] = [], made?: string): Plugin {
  return definePlugin({
    manifest: { ...helloWorld.manifest, tables },
    migrations: made === undefined ? {} : {
      "0001_create": { up: async (db) => void await sql.raw(`create table ${made} (id integer) strict`).execute(db) },
    },
    setup: ({ serve }) => serve(HelloWorldService, { sayHello: (_request, call) => ({ result: sayHello(call) }) }),
  });
}

async function faultsOf(plugin: Plugin): Promise<Record<string, string>> {
  const faults: Record<string, string> = {};
  for (const { name, run } of pluginConformance(plugin)) {
    await run().catch((error: Error) => faults[name] = error.message);
  }
  return faults;
}

describe("conformance finds", () => {
  test("an operation that fails for a caller who may call it", async () => {
    const faults = await faultsOf(altered((call) => {
      if (call.caller.role === "user") throw new Error("no users here");
      return "";
    }));
    expect(faults[ROLES]).toContain("HelloWorldService.SayHello as user 7 over http: should be let in, got 500");
    expect(faults[ROLES]).not.toContain("as admin");
  });

  test("an operation that ends differently from call to call", async () => {
    let calls = 0;
    const faults = await faultsOf(altered(() => `${calls++}`));
    expect(Object.keys(faults)).toEqual([WIRES]);
    expect(faults[WIRES]).toContain("HelloWorldService.SayHello ends differently: http [200,");
  });

  test("tables that are listed and not made, or made and not listed", async () => {
    expect(await faultsOf(altered(() => "", ["things"]))).toEqual({
      [TABLES]: 'the table "things" is in plugin.json and was not made',
    });
    expect((await faultsOf(altered(() => "", [], "others")))[BOOTS]).toContain("others");
  });
});
