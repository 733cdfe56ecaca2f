import { type Call, type Db, definePlugin, type Plugin } from "edgehelm";
import { as, testKernel } from "edgehelm/testing";
import { type Kysely, sql } from "kysely";
import { describe, expect, test } from "vitest";
import { ProbeService } from "../../fixtures/probe/proto/probe_pb.ts";
import { insertProbe, probePlugin, probes, type Tables } from "../probe.ts";

const { change } = ProbeService.method;

/** Creates a plugin with a table of its own and, optionally, a migration that accesses other tables. */
function neighbour(up?: (db: Kysely<never>) => Promise<unknown>): Plugin {
  return definePlugin({
    manifest: { name: "neighbour", version: "1.0.0", kernel: "^1", services: [], tables: ["secrets"] },
    migrations: {
      "0001_create_secrets": { up: async (db) => void await sql`create table secrets (text text) strict`.execute(db) },
      ...(up && { "0002_reach_out": { up: async (db: Kysely<never>) => void await up(db) } }),
    },
    setup() {},
  });
}

const ACCESSES: Readonly<Record<string, (db: Kysely<never>) => Promise<unknown>>> = {
  "reads by query builder": (db) => db.selectFrom("secrets" as never).selectAll().execute(),
  "reads by raw SQL": (db) => sql`select * from secrets`.execute(db),
  joins: (db) => sql`select * from probes, secrets`.execute(db),
  "reads in a subquery": (db) => sql`select * from probes where text in (select text from secrets)`.execute(db),
  "copies rows": (db) => sql`insert into probes select text from secrets`.execute(db),
  writes: (db) => sql`update secrets set text = 'x'`.execute(db),
  "alters by schema builder": (db) => db.schema.alterTable("secrets").addColumn("more", "text").execute(),
  "drops by schema builder": (db) => db.schema.dropTable("secrets").execute(),
  "drops by raw SQL": (db) => sql`drop table secrets`.execute(db),
  "reads a kernel table": (db) => sql`select * from kernel_signing_keys`.execute(db),
  "reads the schema": (db) => sql`select * from sqlite_master`.execute(db),
  "attaches a database": (db) => sql`attach ':memory:' as other`.execute(db),
};

describe("a handler cannot access another plugin's table if it", () => {
  test.each(Object.entries(ACCESSES))("%s", async (_description, access) => {
    let tables: Db<Tables>;
    const probe = probePlugin((db) => {
      tables = db;
      return {
        async change(_request, call) {
          await insertProbe(db, call, "mine");
          await access(db(call) as never);
          return {};
        },
      };
    });
    await using edgehelm = await testKernel({ plugins: [probe, neighbour()] });
    await expect(edgehelm.call(as.admin(), change, {})).rejects.toMatchObject({ code: 500 });
    const call: Call = edgehelm.kernel.systemCall("test");
    expect(await probes(tables!, call)).toEqual([]);
  });
});

describe("a migration is rolled back if it", () => {
  test.each([
    ["drops another plugin's table", (db: Kysely<never>) => sql`drop table probes`.execute(db)],
    ["alters another plugin's table", (db: Kysely<never>) => sql`alter table probes add column more text`.execute(db)],
    ["copies another plugin's table", (db) => sql`create table secrets2 as select * from probes`.execute(db)],
    ["creates an undeclared table", (db: Kysely<never>) => sql`create table stray (x integer)`.execute(db)],
    ["fails halfway", async (db: Kysely<never>) => {
      await sql`create index secrets_text on secrets (text)`.execute(db);
      await sql`insert into nowhere values (1)`.execute(db);
    }],
  ])("%s", async (_description, up) => {
    const probe = probePlugin(() => ({}));
    await using first = await testKernel({ plugins: [probe] });
    await first.stop();
    const start = testKernel({ plugins: [probe, neighbour(up)], directory: first.directory });
    await expect(start).rejects.toThrow('plugin "neighbour": migration "0002_reach_out" failed');
    const again = await testKernel({ plugins: [probe, neighbour()], directory: first.directory });
    await again.stop();
  });
});
