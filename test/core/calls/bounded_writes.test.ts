import { definePlugin, type Plugin } from "edgehelm";
import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import { systemClock } from "../../../core/base/clock.ts";
import { createLogger } from "../../../core/base/log.ts";
import { as, testKernel } from "../../harness/mod.ts";
import { ProbeService } from "../../fixtures/probe/proto/probe_pb.ts";
import { TEST_DATABASE } from "../../harness/database.ts";

interface Tables {
  notes: { id: bigint; owner: bigint; text: string };
  totals: { n: bigint };
}

const admin = as.admin(1n);
const { change, look } = ProbeService.method;
const SCHEMA = [
  "create table notes (id integer primary key, owner integer not null, text text not null) strict",
  "create index notes_owner on notes (owner, id)",
  "create table totals (n integer not null) strict",
  "insert into totals values (0), (0)",
];

/** A plugin whose operations run a statement, and which compiles others in its setup. */
function notesPlugin({ run = "select 1", compiled = [] as string[], smallTables = { totals: 1 } }): Plugin {
  return definePlugin({
    manifest: {
      ...{ name: "notes", version: "1.0.0", kernel: "^1", services: ["ProbeService"], tables: ["notes", "totals"] },
      ...{ modules: [{ code: "probe", name: "Probe" }, { code: "sight" }], smallTables },
    },
    migrations: {
      "0001_create_notes": {
        async up(db: Kysely<never>) {
          for (const statement of SCHEMA) await sql.raw(statement).execute(db);
          await sql`update totals set n = (select count(*) from notes, totals)`.execute(db);
        },
      },
    },
    setup(setup) {
      const db = setup.db<Tables>();
      for (const text of compiled) db.query((q) => ({ compile: () => sql.raw(text).compile(q) }));
      const execute = async (_: unknown, call: Parameters<typeof db>[0]) => {
        await sql.raw(run).execute(db(call));
        return {};
      };
      setup.serve(ProbeService, {
        ...{ look: execute, change: execute, reach: () => ({}), greet: () => ({}), gather: () => Promise.resolve({}) },
        async *tell() {},
        async *talk() {},
      });
    },
  });
}

const REFUSED: Readonly<Record<string, string>> = {
  "update notes set text = '' where text = 'x'": 'visit the whole table "notes", or a range of it,',
  "delete from notes": 'visit the whole table "notes", or a range of it,',
  "delete from notes where owner < 7": 'visit the whole table "notes", or a range of it,',
  "insert into totals select id from notes order by text": 'visit the whole table "notes", or a range of it,',
  "insert into totals select a.id from notes a, notes b where a.id = 1": 'visit the whole table "notes"',
  "insert into totals with c(v) as (values (1) union all select v + 1 from c) select v from c": "run a recursive query",
};

const READS: Readonly<Record<string, string>> = {
  "select * from notes where text = 'x' limit 1": 'visit the whole table "notes", or a range of it,',
  "select count(*) from notes": 'visit the whole table "notes", or a range of it,',
  "select * from notes order by text limit 1": 'visit the whole table "notes", or a range of it,',
  "with c(v) as (values (1) union all select v + 1 from c) select v from c": "run a recursive query",
};

const ACCEPTED = [
  "update totals set n = n + 1",
  "delete from notes where owner = abs(7)",
  "update notes set text = '' where id in (select id from notes where owner < 7 limit 100)",
  "select * from notes order by id limit 100",
  "insert into notes (owner, text) select value, '' from json_each('[1,2]')",
];

test.each(Object.entries({ ...REFUSED, ...READS }))("a transaction refuses: %s", async (run, what) => {
  let logged = "";
  const log = createLogger({ level: "error", write: (line) => logged += line, clock: systemClock });
  await using edgehelm = await testKernel({ plugins: [notesPlugin({ run })], log });
  await expect(edgehelm.call(admin, change, {})).rejects.toMatchObject({ reason: "kernel.internal" });
  expect(JSON.parse(logged.split("\n")[0]!).error).toContain(`plugin "notes" may not ${what}`);
});

test.each(ACCEPTED)("a transaction runs: %s", async (run) => {
  await using edgehelm = await testKernel({ plugins: [notesPlugin({ run })] });
  await edgehelm.call(admin, change, {});
});

test.skipIf(TEST_DATABASE !== "file")("outside a transaction, reads of whole tables run elsewhere", async () => {
  await using edgehelm = await testKernel({ plugins: [notesPlugin({ run: "select count(*) from notes" })] });
  await edgehelm.call(admin, look, {});
});

test.skipIf(TEST_DATABASE !== "file")("changes that setup compiles stop the start, all of them at once", async () => {
  const outcome = testKernel({ plugins: [notesPlugin({ compiled: [...Object.keys(REFUSED), ...ACCEPTED] })] });
  const error = await outcome.then(() => undefined, (error: { errors: string[] }) => error);
  expect(error?.errors).toHaveLength(Object.keys(REFUSED).length);
  for (const [index, [run, what]] of Object.entries(REFUSED).entries()) {
    expect(error?.errors[index]).toContain(`plugin "notes" may not ${what}`);
    expect(error?.errors[index]).toContain(run);
  }
});

test("a start refuses small tables that are not tables of the plugin, or are not small", async () => {
  await expect(testKernel({ plugins: [notesPlugin({ smallTables: { others: 1 } as never })] })).rejects.toThrow(
    'plugin.json: smallTables: "others" must be one of its tables',
  );
  await expect(testKernel({ plugins: [notesPlugin({ smallTables: { totals: 10_001 } })] })).rejects.toThrow(
    'plugin.json: smallTables: "totals" has 10001 rows, allowed are 1 to 10000',
  );
});
