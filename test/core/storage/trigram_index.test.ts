import { type Call, type Db, definePlugin } from "edgehelm";
import { containing, type TrigramIndex, trigramIndex, trigramQuery } from "edgehelm/storage";
import { type TestKernel, testKernel } from "edgehelm/testing";
import { type Generated, type Kysely, sql } from "kysely";
import { afterAll, beforeEach, describe, expect, test } from "vitest";

interface Tables {
  notes: { id: Generated<bigint>; title: string; text: string };
  noteSearch: { rowid: bigint; title: string; text: string };
  noteSearchState: { id: bigint; indexedId: bigint };
}

let db: Db<Tables>;
let index: TrigramIndex;
const plugin = definePlugin({
  manifest: {
    name: "notes",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: ["notes", "noteSearch", "noteSearchState"],
  },
  migrations: {
    "0001_create_notes": {
      up: async (q: Kysely<never>) => {
        await sql`create table notes (id integer primary key autoincrement, title text not null, text text not null)
          strict`.execute(q);
        await sql`create virtual table noteSearch
          using fts5(title, text, content='', contentless_delete=1, detail=none, tokenize='trigram')`.execute(q);
        await sql`insert into noteSearch (noteSearch, rank) values ('deletemerge', 0)`.execute(q);
        await sql`create table noteSearchState (id integer primary key, indexedId integer not null) strict`.execute(q);
        await sql`insert into noteSearchState values (1, 0)`.execute(q);
      },
    },
  },
  setup(setup) {
    db = setup.db<Tables>();
    index = trigramIndex(db, {
      rows: "notes",
      index: "noteSearch",
      state: "noteSearchState",
      columns: ["title", "text"],
    });
  },
});

let edgehelm: TestKernel | undefined;
let call: Call;
async function add(...notes: readonly [title: string, text: string][]): Promise<void> {
  const rows = notes.map(([title, text]) => ({ title, text }));
  await call.transact(async (inner) => void await db(inner).insertInto("notes").values(rows).execute());
}

async function remove(ids: bigint[]): Promise<void> {
  await call.transact(async (inner) => {
    await index.remove.run(inner, { ids });
    await db(inner).deleteFrom("notes").where("id", "in", ids).execute();
  });
}

/** Finds the matching notes: those in the index, and those that are not in it yet. */
async function found(keyword: string): Promise<{ indexed: bigint[]; later: bigint[] }> {
  const match = trigramQuery(keyword)!;
  const [indexed, later] = await Promise.all(
    index.sources("n", match).map(async ({ id, from, where }) => {
      const select = sql<{ id: bigint }>`select ${id} as id from ${from} where ${where}
        and (n.title like ${containing(keyword)} escape '\\' or n.text like ${containing(keyword)} escape '\\')`;
      return (await select.execute(db(call))).rows.map((row) => row.id).sort();
    }),
  );
  return { indexed: indexed!, later: later! };
}

describe("trigramIndex()", () => {
  beforeEach(async () => {
    await edgehelm?.[Symbol.asyncDispose]();
    edgehelm = await testKernel({ plugins: [plugin] });
    call = edgehelm.kernel.systemCall("test");
  });
  afterAll(() => edgehelm?.[Symbol.asyncDispose]());

  test("new rows are found immediately, and through the index after it has caught up", async () => {
    await add(["Shopping", "bread and butter"], ["Work", "buttons"]);
    expect(await found("BUTT")).toEqual({ indexed: [], later: [1n, 2n] });
    await index.catchUp(call);
    await add(["butter again", ""]);
    expect(await found("BUTT")).toEqual({ indexed: [1n, 2n], later: [3n] });
    await index.catchUp(call);
    await index.catchUp(call);
    expect(await found("butt")).toEqual({ indexed: [1n, 2n, 3n], later: [] });
    expect(await found("shopp")).toEqual({ indexed: [1n], later: [] });
  });

  test("removed rows are not found, whether they were in the index or not", async () => {
    await add(["one", "butter"], ["two", "butter"]);
    await index.catchUp(call);
    await add(["three", "butter"], ["four", "butter"]);
    await remove([2n, 3n]);
    expect(await found("butter")).toEqual({ indexed: [1n], later: [4n] });
    await index.catchUp(call);
    expect(await found("butter")).toEqual({ indexed: [1n, 4n], later: [] });
  });

  test("an index without rows frees its space", async () => {
    const blocks = async () =>
      (await sql<{ n: bigint }>`select count(*) as n from noteSearch_data`.execute(db(call))).rows[0]!.n;
    await add(
      ...Array.from(
        { length: 400 },
        (_, at) => [`note ${at}`, `${at * 7919} butter ${at * 104729}`] as [string, string],
      ),
    );
    await index.catchUp(call);
    const full = await blocks();
    await remove(Array.from({ length: 399 }, (_, at) => BigInt(at + 1)));
    await add(["later", "butter"]);
    await index.catchUp(call);
    expect(await found("butter")).toEqual({ indexed: [400n, 401n], later: [] });
    expect(await blocks()).toBeGreaterThanOrEqual(full);
    await remove([400n, 401n]);
    await add(["last", "butter"]);
    await index.catchUp(call);
    expect(await found("butter")).toEqual({ indexed: [402n], later: [] });
    expect(await blocks()).toBeLessThan(5n);
  });

  test("a batch that fails is rolled back", async () => {
    await add(...Array.from({ length: 700 }, (_, at) => [`note ${at}`, "butter"] as [string, string]));
    let batches = 0;
    const failing: Call = Object.create(call, {
      transact: {
        value: (work: (inner: Call) => Promise<unknown>) =>
          call.transact(async (inner) => {
            const result = await work(inner);
            if (++batches === 2) throw new Error("the power went");
            return result;
          }),
      },
    });
    await expect(index.catchUp(failing)).rejects.toThrow("the power went");
    const half = await found("butter");
    expect([half.indexed.length, half.later.length]).toEqual([500, 200]);
    await index.catchUp(call);
    expect((await found("butter")).indexed.length).toBe(700);
  });
});
