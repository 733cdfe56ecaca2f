import { type Call, liveRows } from "edgehelm";
import { countRows, deleteRow, findRow, listRows, pageRows, rowList, updateRow } from "edgehelm/rows";
import { afterEach, beforeEach, expect, test } from "vitest";
import { errors, type ShelfRig, shelfRig } from "../storage/rows/rig.ts";

let rig: ShelfRig;
beforeEach(async () => void (rig = await shelfRig()));
afterEach(() => rig[Symbol.asyncDispose]());

const roomOf = ({ room }: { room: string }) => room;

test("findRow responds with the message, or without it", async () => {
  const find = findRow(liveRows(rig.db, "shelves", errors.not_found), "shelfId", "shelf", roomOf);
  expect(await find({ shelfId: 4n }, rig.call)).toEqual({ shelf: "attic" });
  expect(await find({ shelfId: 9n }, rig.call)).toEqual({});
});

test("updateRow requires the row before it checks the request", async () => {
  const { db, call } = rig;
  const shelves = liveRows(db, "shelves", errors.not_found);
  const update = updateRow(
    shelves,
    "shelfId",
    db.update("shelves", ["weight"]),
    ({ weight }: { shelfId: bigint; weight: number }) => {
      if (weight < 0) throw new Error("negative");
      return { weight };
    },
  );
  expect(await call.transact((inner) => update({ shelfId: 1n, weight: 5 }, inner))).toEqual({});
  expect(await shelves.find(call, 1n)).toMatchObject({ weight: 5n });
  await expect(update({ shelfId: 9n, weight: -1 }, call)).rejects.toThrow("shelf 9 does not exist");
  await expect(update({ shelfId: 0n, weight: 1 }, call)).rejects.toThrow("shelfId: must be a positive id, got 0");
  await expect(update({ shelfId: 1n, weight: -1 }, call)).rejects.toThrow("negative");
});

test("deleteRow refuses rows in use, deletes others, and tells it in the same transaction", async () => {
  const { db, call } = rig;
  const shelves = liveRows(db, "shelves", errors.not_found);
  const told: string[] = [];
  const remove = deleteRow(shelves, "shelfId", {
    uses: [{ referencesTo: (_call, id) => Promise.resolve(id === 1n ? ["a book"] : []) }],
    inUse: errors.in_use,
    deleted: async (inner: Call, row) => void told.push(`${row.room} ${await shelves.find(inner, row.id)}`),
  });
  const run = (shelfId: bigint) => call.transact((inner) => remove({ shelfId }, inner));
  await expect(run(1n)).rejects.toThrow("shelf 1 is used by a book");
  expect(await run(4n)).toEqual({});
  expect(told).toEqual(["attic undefined"]);
  await expect(run(4n)).rejects.toThrow("shelf 4 does not exist");
  expect(await shelves.find(call, 1n)).toBeDefined();
});

test("lists and counts take the filter from the request, or compute it", async () => {
  const { db, call } = rig;
  const list = rowList(db, "shelves", { equalIfSet: ["userId"], order: { weight: "asc" } });
  const request = { userId: 8n, offset: 0n, size: 1n };
  expect(await listRows(list, "rooms", roomOf)(request, call)).toEqual({ rooms: ["hall", "attic"] });
  expect(await pageRows(list, "rooms", roomOf)(request, call)).toEqual({ rooms: ["hall"] });
  expect(await countRows(list)(request, call)).toEqual({ count: 2n });
  const all = () => ({});
  expect((await listRows(list, "rooms", roomOf, all)(request, call)).rooms.length).toBe(4);
  expect((await pageRows(list, "rooms", roomOf, all)({ ...request, offset: 3n }, call)).rooms).toEqual(["attic"]);
  expect(await countRows(list, all)(request, call)).toEqual({ count: 4n });
  await expect(pageRows(list, "rooms", roomOf)({ ...request, size: -1n }, call)).rejects.toThrow("size: must not be");
});
