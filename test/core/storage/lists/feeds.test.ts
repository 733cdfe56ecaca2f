import { type Db, definePlugin } from "edgehelm";
import { declareFeed, type Feed, feedRows } from "edgehelm/storage";
import { type TestKernel, testKernel } from "edgehelm/testing";
import { type Generated, type Kysely, type Selectable, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Random } from "../../../harness/random.ts";
import { ENGINES } from "../engines.ts";

interface Tables {
  notes: { id: Generated<bigint>; folderId: bigint; text: string; version: bigint; state: Generated<bigint> };
}
type Note = Selectable<Tables["notes"]>;

const noteFeed = declareFeed({ table: "notes", version: "version", scope: "folderId", departures: "state" });

const createNotes = {
  up: async (db: Kysely<never>) =>
    void await sql`
      create table notes (
        id integer primary key,
        folderId integer not null,
        text text not null,
        version integer not null,
        state integer not null default 1
      ) strict`.execute(db),
};

const noteRows = (db: Db<Tables>) =>
  feedRows(db, noteFeed, {
    insert: ["folderId"],
    update: ["folderId", "text"],
    also: { text: sql`'note ' || coalesce((select max(id) from notes), 0)` },
  });

describe.each(ENGINES)("a feed on $name", (engine) => {
  let edgehelm: TestKernel;
  let tables: Db<Tables>;
  let feed: Feed<Note>;
  let rows: ReturnType<typeof noteRows>;
  beforeAll(async () => {
    const plugin = definePlugin({
      manifest: { name: "notes", version: "1.0.0", kernel: "^1", services: [], tables: ["notes"] },
      feeds: [noteFeed],
      migrations: { "0001_create_notes": createNotes, "0002_feed_notes": noteFeed.migration },
      setup({ db }) {
        tables = db<Tables>();
        feed = noteFeed.open(tables);
        rows = noteRows(tables);
      },
    });
    edgehelm = await testKernel({ plugins: [plugin], engine: await engine.open() });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());

  test("readers that follow a folder or everything have its notes after random changes", async () => {
    const random = new Random(3);
    const call = edgehelm.kernel.systemCall("test");
    const readers = [0n, 1n, 2n, 3n].map((scope) => ({ scope, version: 0n, notes: new Map<bigint, string>() }));
    const folder = () => BigInt(1 + random.below(3));
    let lastId = 0n;
    for (let round = 0; round < 40; round++) {
      await call.transact(async (inner) => {
        for (let change = 0; change < 5; change++) {
          const ids = [0, 1].map(() => BigInt(1 + random.below(Number(lastId) + 1)));
          if (ids.some((id) => id > lastId)) {
            expect(await rows.create(inner, { folderId: folder() })).toBe(++lastId);
            continue;
          }
          const found = await tables(inner).selectFrom("notes").selectAll().where("id", "in", ids).execute();
          await random.oneOf([
            () => rows.change(inner, found[0]!, { folderId: folder() }),
            () => rows.changeAll(inner, found.map((row) => ({ ...row, text: `text ${round}` }))),
            () => rows.move(inner, [...new Set(ids)], folder()),
            () => rows.softDelete(inner, [...new Set(ids)]),
          ])();
        }
      });
      const all = await tables(call).selectFrom("notes").selectAll().execute();
      for (const reader of readers) {
        if (random.below(3) === 0) continue;
        const { scope, notes } = reader;
        for (let rows = [{ version: 0n }] as Note[]; rows.length > 0;) {
          rows = await feed.after(call, { scope, version: reader.version, size: 4n });
          for (const { id, version, text, state } of rows) {
            expect(version).toBeGreaterThan(reader.version);
            reader.version = version;
            if (state === 1n) notes.set(id, text);
            else notes.delete(id);
          }
        }
        const live = all.filter(({ state, folderId }) => state === 1n && (scope === 0n || folderId === scope));
        expect(new Map([...notes].sort())).toEqual(new Map(live.map(({ id, text }) => [id, text] as const).sort()));
        expect(await feed.latest(call, scope)).toBe(reader.version);
      }
    }
  });

  test("rows that are created together have their ids and versions in order", async () => {
    const many = new Array(3000).fill({ folderId: 9n, text: "x".repeat(300) });
    const other = noteFeed.open(tables);
    await edgehelm.kernel.systemCall("test").transact(async (call) => {
      const before = await other.latest(call, 0n);
      const { createAll } = feedRows(tables, noteFeed, { insert: ["folderId", "text"], update: [] });
      const ids = await createAll(call, many);
      const created = await other.after(call, { scope: 0n, version: before, size: 5000n });
      expect(created.map(({ id }) => id)).toEqual(ids);
      expect(ids).toHaveLength(many.length);
      expect(await other.latest(call, 0n)).toBe(before + BigInt(many.length));
    });
  });

  test("a soft deletion gives no version to a row that is deleted, and a change is not lost", async () => {
    await edgehelm.kernel.systemCall("test").transact(async (call) => {
      const id = await rows.create(call, { folderId: 8n });
      await rows.softDelete(call, [id]);
      const [deleted] = await feed.after(call, { scope: 8n, version: 0n, size: 10n });
      await rows.softDelete(call, [id]);
      await rows.move(call, [id], 7n);
      expect(await feed.after(call, { scope: 8n, version: 0n, size: 10n })).toEqual([deleted]);
      expect(deleted).toMatchObject({ id, state: 0n });
    });
  });

  test("listeners are called after each commit of changes, and not after a rollback", async () => {
    const call = edgehelm.kernel.systemCall("test");
    let calls = 0;
    rows.feed.onChange(() => calls++);
    await call.transact(async (inner) => {
      await rows.create(inner, { folderId: 1n });
      expect(calls).toBe(0);
    });
    expect(calls).toBe(1);
    const failing = call.transact(async (inner) => {
      await rows.create(inner, { folderId: 1n });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(calls).toBe(1);
  });

  test("a version that was not advanced cannot be used twice", async () => {
    const call = edgehelm.kernel.systemCall("test");
    const twice = call.transact(async (inner) => {
      for (const text of ["first", "second"]) {
        const values = { folderId: 1n, text, version: feed.nextVersion };
        await tables(inner).insertInto("notes").values(values).execute();
      }
    });
    await expect(twice).rejects.toThrow(/UNIQUE/);
  });
});
