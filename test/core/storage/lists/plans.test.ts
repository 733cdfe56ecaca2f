import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin } from "edgehelm";
import { declareList } from "edgehelm/storage";
import { testKernel } from "edgehelm/testing";
import { type Generated, type Kysely, sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openTestDatabase, TEST_DATABASE } from "../../../harness/database.ts";
import { type LoggedStatement, plansOf, withStatementLog } from "../../../harness/statement_log.ts";

interface Tables {
  notes: { id: Generated<bigint>; userId: bigint; groupIds: string; status: string; text: string };
}

const noteList = declareList({
  table: "notes",
  scopes: ["userId"],
  links: { groupId: "groupIds" },
  choices: ["status"],
  search: ["text"],
});

/** Notes of 10 users, of which one in 1000 is closed. */
const FILL = `
  with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < 30000)
  insert into notes (userId, groupIds, status, text)
    select i % 10, iif(i % 2, '[]', '[1]'), iif(i % 1001, 'open', 'closed'), 'bread ' || i from numbers`;

const MAINTENANCE = { owner: "test", tables: undefined };

test.runIf(TEST_DATABASE === "file")(
  "pages are read through indexes and buckets, without scans and sorts",
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
    const ran: LoggedStatement[] = [];
    const engine = withStatementLog(await openTestDatabase(directory), "notes", (statement) => ran.push(statement));
    let list!: ReturnType<typeof noteList.open<Tables>>;
    const plugin = definePlugin({
      manifest: { name: "notes", version: "1.0.0", kernel: "^1", services: [], tables: ["notes"] },
      lists: [noteList],
      migrations: {
        "0001_create_notes": {
          up: async (db: Kysely<never>) =>
            void await sql`create table notes (id integer primary key autoincrement, userId integer not null,
            groupIds text not null, status text not null, text text not null) strict`.execute(db),
        },
        "0002_list_notes": noteList.migration,
      },
      setup({ db }) {
        list = noteList.open(db<Tables>());
      },
    });
    const edgehelm = await testKernel({ plugins: [plugin], engine });
    onTestFinished(async () => {
      await edgehelm[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    });
    const call = edgehelm.kernel.systemCall("test");
    await edgehelm.engine.write(async (session) => await session.run({ sql: FILL, scope: MAINTENANCE }, []));
    await edgehelm.kernel.runJob("notes.index_notes");

    for (const scope of [{}, { userId: 1n }, { groupId: 1n }, { userId: 2n, groupId: 1n }, { userId: [1n, 2n] }]) {
      for (
        const options of [{}, { offset: 1000n }, { status: "closed" }, { keyword: "bread" }, { keyword: "ead 2999" }]
      ) {
        ran.length = 0;
        const { offset = 0n, ...filter } = { ...scope, ...options } as { offset?: bigint; status?: string };
        await list.page(call, filter, { offset, size: 5n });
        const reading = ran.filter(({ sql }) => !sql.includes("notes_buckets"));
        const plans = await plansOf(edgehelm.engine, reading);
        const slowSteps = plans.filter((step) => /^SCAN (notes|link)\b|TEMP B-TREE/.test(step));
        expect({ scope, options, slowSteps }).toEqual({ scope, options, slowSteps: [] });
        const usesIndex = plans.filter((step) => step.startsWith("SCAN found VIRTUAL TABLE")).length;
        expect({ scope, options, usesIndex }).toEqual({ scope, options, usesIndex: "keyword" in options ? 1 : 0 });
        // rare rows are read from the buckets that contain them, not along an index
        const inRanges = reading.filter(({ sql }) => sql.includes("as range")).length;
        const isScattered = "status" in options || Array.isArray(scope.userId) && !("keyword" in options);
        expect({ scope, options, inRanges }).toEqual({ scope, options, inRanges: isScattered ? 1 : 0 });
      }
    }
  },
);
