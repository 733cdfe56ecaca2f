import { type Call, type Db, defineErrors, definePlugin, liveRows, rowCount } from "edgehelm";
import { inBatches, memoizeByShape } from "edgehelm/storage";
import { type TestKernel, testKernel } from "edgehelm/testing";
import { type Generated, type Kysely, sql } from "kysely";
import { afterAll, beforeEach, expect, test } from "vitest";

interface Tables {
  notes: { id: Generated<bigint>; text: string; state: Generated<bigint> };
}

const errors = defineErrors("notes", { not_found: ["not_found", (id: bigint) => `note ${id} does not exist`] });

let db: Db<Tables>;
const plugin = definePlugin({
  manifest: { name: "notes", version: "1.0.0", kernel: "^1", services: [], tables: ["notes"] },
  migrations: {
    "0001_create_notes": {
      up: async (q: Kysely<never>) =>
        void await sql`create table notes (id integer primary key, text text not null,
          state integer not null default 1) strict`.execute(q),
    },
  },
  setup: (setup) => void (db = setup.db<Tables>()),
});

let edgehelm: TestKernel | undefined;
let call: Call;
beforeEach(async () => {
  await edgehelm?.[Symbol.asyncDispose]();
  edgehelm = await testKernel({ plugins: [plugin] });
  call = edgehelm.kernel.systemCall("test");
  const insert = db.query((q, p: { text: string }) => q.insertInto("notes").values({ text: p.text }));
  await call.transact(async (inner) => {
    for (const text of ["a", "b", "c", "d", "e"]) await insert.run(inner, { text });
  });
});
afterAll(() => edgehelm?.[Symbol.asyncDispose]());

test("find, byIds and require ignore deleted rows", async () => {
  const notes = liveRows(db, "notes", errors.not_found);
  expect(await notes.require(call, "noteId", 2n)).toMatchObject({ id: 2n, text: "b" });
  await call.transact((inner) => notes.remove.run(inner, { id: 2n }));
  expect(await notes.find(call, 2n)).toBeUndefined();
  expect((await notes.byIds.all(call, { ids: [1n, 2n, 3n] })).map(({ text }) => text)).toEqual(["a", "c"]);
  await expect(notes.require(call, "noteId", 2n)).rejects.toThrow("note 2 does not exist");
  await expect(notes.require(call, "noteId", 0n)).rejects.toThrow("noteId: must be a positive id, got 0");
});

test("memoizeByShape compiles statements once per shape", async () => {
  let compiled = 0;
  const statementsFor = memoizeByShape(
    ({ text }: { readonly text: string }) => [text !== ""],
    ({ text }) => {
      compiled++;
      return db.query((q, p: { text: string }) =>
        q.selectFrom("notes").select(rowCount).$if(text !== "", (query) => query.where("text", "=", p.text))
      );
    },
  );
  for (const [text, count] of [["", 5n], ["a", 1n], ["b", 1n], ["x", 0n], ["", 5n]] as const) {
    expect(await statementsFor({ text }).one(call, { text })).toEqual({ count });
  }
  expect(compiled).toBe(2);
});

test("inBatches runs a large change in batches", async () => {
  const removeBatch = db.query((q, p: { limit: number }) =>
    q.deleteFrom("notes").where("id", "in", (inner) => inner.selectFrom("notes").select("id").limit(p.limit))
  );
  const batches: bigint[] = [];
  await inBatches(call, 2, async (inner, limit) => {
    const removed = await removeBatch.run(inner, { limit });
    batches.push(removed);
    return removed;
  });
  expect(batches).toEqual([2n, 2n, 1n]);
});

test("inBatches keeps completed batches when a later one fails", async () => {
  const removeBatch = db.query((q, p: { limit: number }) =>
    q.deleteFrom("notes").where("id", "in", (inner) => inner.selectFrom("notes").select("id").limit(p.limit))
  );
  let rounds = 0;
  const failing = inBatches(call, 2, async (inner, limit) => {
    const removed = await removeBatch.run(inner, { limit });
    if (rounds++ > 0) throw errors.not_found(7n);
    return removed;
  });
  await expect(failing).rejects.toThrow("note 7");
  expect(await db.query((q) => q.selectFrom("notes").select(rowCount)).one(call, {})).toEqual({ count: 3n });
});
