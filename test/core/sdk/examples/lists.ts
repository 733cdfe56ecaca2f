import { deepEqual, equal } from "node:assert/strict";
import { type Db, definePlugin } from "edgehelm";
import { declareList } from "edgehelm/storage";
import { testKernel } from "edgehelm/testing";
import { type Generated, type Kysely, sql } from "kysely";

// store.ts: the table and its list
interface Tables {
  notes: { id: Generated<bigint>; userId: bigint; groupIds: string; status: string; title: string };
}

const noteList = declareList({
  table: "notes",
  scopes: ["userId"],
  links: { groupId: "groupIds" },
  choices: ["status"],
  search: ["title"],
});

function noteStore(db: Db<Tables>) {
  return {
    list: noteList.open(db),
    insert: db.query((q, p: { userId: bigint; title: string; groupIds: bigint[] }) =>
      q.insertInto("notes").values({ userId: p.userId, title: p.title, status: "open", groupIds: sql`${p.groupIds}` })
    ),
    closeAll: db.query((q, p: { userId: bigint }) =>
      q.updateTable("notes").set({ status: "closed" }).where("userId", "=", p.userId)
    ),
  };
}

// plugin.ts: the migration of the list follows that of its table
let notes!: ReturnType<typeof noteStore>;
const plugin = definePlugin({
  manifest: { name: "notes", version: "1.0.0", kernel: "^1", services: [], tables: ["notes"] },
  lists: [noteList],
  migrations: {
    "0001_create_notes": {
      up: async (db: Kysely<never>) => {
        await sql`create table notes (id integer primary key autoincrement, userId integer not null,
          groupIds text not null, status text not null, title text not null) strict`.execute(db);
        // for closeAll: a transaction may not visit a whole table
        await sql`create index notes_user on notes (userId)`.execute(db);
      },
    },
    "0002_list_notes": noteList.migration,
  },
  setup({ db }) {
    notes = noteStore(db<Tables>());
  },
});

await using edgehelm = await testKernel({ plugins: [plugin] });
const call = edgehelm.kernel.systemCall("example");
await call.transact(async (inner) => {
  await notes.insert.run(inner, { userId: 7n, title: "bread", groupIds: [1n, 2n] });
  await notes.insert.run(inner, { userId: 7n, title: "butter", groupIds: [] });
  await notes.insert.run(inner, { userId: 8n, title: "more bread", groupIds: [1n] });
  await notes.closeAll.run(inner, { userId: 8n });
});
const page = { offset: 0n, size: 20n };
deepEqual((await notes.list.page(call, { userId: 7n }, page)).map(({ title }) => title), ["butter", "bread"]);
deepEqual((await notes.list.page(call, { keyword: "BREAD" }, page)).map(({ id }) => id), [3n, 1n]);
equal(await notes.list.count(call, { groupId: 1n, status: "open" }), 1n);
