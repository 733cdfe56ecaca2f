import { rowList } from "edgehelm/rows";
import { sql, type SqlBool } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ShelfRig, shelfRig } from "./rig.ts";

let rig: ShelfRig;
beforeEach(async () => void (rig = await shelfRig()));
afterEach(() => rig[Symbol.asyncDispose]());

const ids = (rows: readonly { id: bigint }[]) => rows.map(({ id }) => id);

test("a list is ordered by its columns, and leaves out deleted rows", async () => {
  const { db, call } = rig;
  const list = rowList(db, "shelves", { order: { room: "desc", id: "asc" } });
  expect(ids(await list.all(call, {}))).toEqual([1n, 3n, 4n, 2n]);
  await call.transact((inner) => db.update("shelves", ["state"]).run(inner, { id: 3n, state: 0n }));
  expect(ids(await list.all(call, {}))).toEqual([1n, 4n, 2n]);
  expect(await list.count(call, {})).toEqual({ count: 3n });
});

test("pages continue each other", async () => {
  const list = rowList(rig.db, "shelves", { order: { weight: "asc" } });
  expect(ids(await list.page(rig.call, {}, { offset: 0n, size: 3n }))).toEqual([3n, 2n, 1n]);
  expect(ids(await list.page(rig.call, {}, { offset: 3n, size: 3n }))).toEqual([4n]);
});

test("equal columns always filter, 0 included", async () => {
  const list = rowList(rig.db, "shelves", { equal: ["userId"], order: { id: "asc" } });
  expect(ids(await list.all(rig.call, { userId: 8n }))).toEqual([3n, 4n]);
  expect(await list.count(rig.call, { userId: 0n })).toEqual({ count: 0n });
});

test.each([
  [{}, 4n],
  [{ room: "", userId: 0n, isOn: false }, 4n],
  [{ room: undefined }, 4n],
  [{ room: "hall" }, 2n],
  [{ room: "hall", userId: 7n }, 1n],
  [{ isOn: true, userId: 8n }, 2n],
])("columns that are equal if set filter by %o", async (filter, count) => {
  const list = rowList(rig.db, "shelves", { equalIfSet: ["room", "userId", "isOn"], order: { id: "asc" } });
  expect(await list.count(rig.call, filter)).toEqual({ count });
  expect((await list.all(rig.call, filter)).length).toBe(Number(count));
  expect((await list.page(rig.call, filter, { offset: 0n, size: 10n })).length).toBe(Number(count));
});

test("a keyword is searched in all its columns, literally", async () => {
  const list = rowList(rig.db, "shelves", { equal: ["userId"], contains: ["room", "weight"], order: { id: "asc" } });
  const search = async (keyword: string) => {
    const { count } = await list.count(rig.call, { userId: 7n, keyword });
    const found = ids(await list.all(rig.call, { userId: 7n, keyword }));
    expect(count).toBe(BigInt(found.length));
    return found;
  };
  expect(await search("")).toEqual([1n, 2n]);
  expect(await search("AL")).toEqual([1n, 2n]);
  expect(await search("0%")).toEqual([2n]);
  expect(await search("30")).toEqual([1n]);
  expect(await search("_")).toEqual([]);
});

test("a keyword in a request does not filter a list without a search", async () => {
  const list = rowList(rig.db, "shelves", { order: { id: "asc" } });
  expect(await list.count(rig.call, { keyword: "attic" } as object)).toEqual({ count: 4n });
});

test("a condition applies to every list", async () => {
  const list = rowList(rig.db, "shelves", { where: sql<SqlBool>`weight >= 30`, order: { id: "asc" } });
  expect(ids(await list.all(rig.call, {}))).toEqual([1n, 4n]);
  expect(await list.count(rig.call, {})).toEqual({ count: 2n });
});
