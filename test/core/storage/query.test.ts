import { anyOf, type Call, type Db, definePlugin } from "edgehelm";
import { type TestKernel, testKernel } from "edgehelm/testing";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

interface Tables {
  notes: { id: bigint; text: string };
}

let db: Db<Tables>;
const plugin = definePlugin({
  manifest: { name: "notes", version: "1.0.0", kernel: "^1", services: [], tables: ["notes"] },
  migrations: {
    "0001_create_notes": {
      up: async (q: Kysely<never>) =>
        void await sql`create table notes (id integer primary key, text text not null) strict`.execute(q),
    },
  },
  setup: (setup) => void (db = setup.db<Tables>()),
});

let edgehelm: TestKernel;
let call: Call;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin] });
  call = edgehelm.kernel.systemCall("test");
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

test("first() returns one of many rows, and completes a change that returns rows", async () => {
  const insert = db.query((q, p: { texts: string[] }) =>
    q.insertInto("notes").columns(["text"])
      .expression((e) =>
        e.selectFrom(sql<{ value: string }>`json_each(${p.texts})`.as("item")).select("item.value as text")
      )
      .returning(["id", "text"])
  );
  const all = db.query((q) => q.selectFrom("notes").selectAll().orderBy("id"));
  const some = db.query((q, p: { ids: bigint[] }) => q.deleteFrom("notes").where("id", "in", anyOf(p.ids)));
  const first = await call.transact((inner) => insert.first(inner, { texts: ["a", "b", "c"] }));
  expect(first).toEqual({ id: 1n, text: "a" });
  expect(await all.first(call, {})).toEqual({ id: 1n, text: "a" });
  expect((await all.all(call, {})).map(({ text }) => text)).toEqual(["a", "b", "c"]);
  // a statement left open after the first row would keep the reader on an old snapshot
  await call.transact((inner) => some.run(inner, { ids: [1n, 2n] }));
  expect(await all.first(call, {})).toEqual({ id: 3n, text: "c" });
  expect(await all.one(call, {})).toEqual({ id: 3n, text: "c" });
});
