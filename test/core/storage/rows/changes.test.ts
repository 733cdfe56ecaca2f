import { liveRows, ownedRows, RpcError } from "edgehelm";
import { refuseWhenUsed, usedBy } from "edgehelm/rows";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { errors, type ShelfRig, shelfRig } from "./rig.ts";

let rig: ShelfRig;
beforeEach(async () => void (rig = await shelfRig()));
afterEach(() => rig[Symbol.asyncDispose]());

test("insert sets the named columns and returns the id; a taken place throws", async () => {
  const { db, call } = rig;
  const insert = db.insert("shelves", ["userId", "room", "weight", "isOn"]);
  const shelf = { userId: 9n, room: "den", weight: 1, isOn: false };
  const { id } = await call.transact((inner) => insert.one(inner, shelf));
  expect(await liveRows(db, "shelves", errors.not_found).find(call, id))
    .toEqual({ id, userId: 9n, room: "den", weight: 1n, isOn: 0n, state: 1n });
  await expect(call.transact((inner) => insert.one(inner, shelf))).rejects.toThrow(/UNIQUE/);
});

test("insertUnique inserts and returns nothing if the place is taken", async () => {
  const { db, call } = rig;
  const insert = db.insertUnique("shelves", ["userId", "room", "weight"]);
  expect(await call.transact((inner) => insert.first(inner, { userId: 9n, room: "den", weight: 1 }))).toBeDefined();
  expect(await call.transact((inner) => insert.first(inner, { userId: 7n, room: "hall", weight: 1 }))).toBeUndefined();
});

test("update changes the named columns of one row", async () => {
  const { db, call } = rig;
  const update = db.update("shelves", ["weight", "isOn"]);
  expect(await call.transact((inner) => update.run(inner, { id: 2n, weight: 99, isOn: false }))).toBe(1n);
  const shelves = liveRows(db, "shelves", errors.not_found);
  expect(await shelves.find(call, 2n)).toMatchObject({ room: "50% sale", weight: 99n, isOn: 0n });
  expect(await shelves.find(call, 1n)).toMatchObject({ weight: 30n, isOn: 1n });
});

test("update also sets what every run sets, constants and expressions", async () => {
  const { db, call } = rig;
  const retire = db.update("shelves", [], { isOn: false, weight: sql`weight + 1` });
  expect(await call.transact((inner) => retire.run(inner, { id: 1n }))).toBe(1n);
  const shelves = liveRows(db, "shelves", errors.not_found);
  expect(await shelves.find(call, 1n)).toMatchObject({ room: "hall", isOn: 0n, weight: 31n });
  expect(await shelves.find(call, 2n)).toMatchObject({ isOn: 1n, weight: 20n });
});

test("updateLive keeps what null stands for, and does not change a deleted row", async () => {
  const { db, call } = rig;
  const update = db.updateLive("shelves", ["isOn"], { weight: sql`weight + 1` }, ["room"]);
  const shelves = liveRows(db, "shelves", errors.not_found);
  expect(await call.transact((inner) => update.run(inner, { id: 1n, isOn: false, room: null }))).toBe(1n);
  expect(await shelves.find(call, 1n)).toMatchObject({ room: "hall", isOn: 0n, weight: 31n });
  expect(await call.transact((inner) => update.run(inner, { id: 1n, isOn: true, room: "loft" }))).toBe(1n);
  expect(await shelves.find(call, 1n)).toMatchObject({ room: "loft", isOn: 1n, weight: 32n });
  await call.transact((inner) => shelves.remove.run(inner, { id: 1n }));
  expect(await call.transact((inner) => update.run(inner, { id: 1n, isOn: true, room: "den" }))).toBe(0n);
});

test("put inserts a row, and changes the one with the same key", async () => {
  const { db, call } = rig;
  const put = db.put("shelves", ["id"], ["id", "userId", "room", "weight"]);
  const shelves = liveRows(db, "shelves", errors.not_found);
  for (const [id, room] of [[50n, "den"], [50n, "loft"]] as const) {
    await call.transact((inner) => put.run(inner, { id, userId: 9n, room, weight: 3 }));
    expect(await shelves.find(call, id)).toMatchObject({ id, room, weight: 3n, isOn: 1n });
  }
  expect(await shelves.find(call, 1n)).toMatchObject({ room: "hall" });
});

test("someOfUser and removeAll find and delete rows of a user", async () => {
  const { db, call } = rig;
  const shelves = ownedRows(db, "shelves", errors.not_found);
  expect(await shelves.someOfUser.all(call, { userId: 8n, limit: 1 })).toEqual([{ id: 3n }]);
  await call.transact((inner) => shelves.removeAll.run(inner, { ids: [1n, 3n] }));
  expect(await shelves.someOfUser.all(call, { userId: 8n, limit: 5 })).toEqual([{ id: 4n }]);
  expect(await shelves.someOfUser.all(call, { userId: 7n, limit: 5 })).toEqual([{ id: 2n }]);
});

test("references look up live rows, and name the field and the first row that is missing", async () => {
  const { db, call } = rig;
  const shelves = liveRows(db, "shelves", errors.not_found);
  const { summaries, require, requireAll } = shelves.references(({ room }) => room);
  await call.transact((inner) => shelves.remove.run(inner, { id: 2n }));
  expect(await summaries(call, [1n, 2n, 4n])).toEqual(new Map([[1n, "hall"], [4n, "attic"]]));
  expect((await summaries(call, [])).size).toBe(0);
  await require(call, "shelfId", 1n);
  await expect(require(call, "shelfId", 2n)).rejects.toThrow("shelfId: shelf 2 does not exist");
  await requireAll(call, "shelfIds", [1n, 4n]);
  const missing = requireAll(call, "shelfIds", [1n, 9n, 2n]);
  await expect(missing).rejects.toMatchObject({ kind: "invalid", message: "shelfIds: shelf 9 does not exist" });
});

test("take names the field of the first row that the caller may not refer to", async () => {
  const { edgehelm, db, call } = rig;
  const shelves = ownedRows(db, "shelves", errors.not_found);
  const userCall = edgehelm.kernel.systemCall("user");
  Object.defineProperty(userCall, "caller", { value: { role: "user", userId: 7n } });
  const taker = { userId: 7n };
  await shelves.take(userCall, [{ field: "a", id: 1n }, { field: "b", id: 2n }], taker);
  await expect(shelves.take(userCall, [{ field: "a", id: 1n }, { field: "b", id: 3n }], taker))
    .rejects.toThrow("b: shelf 3 does not exist");
  await expect(shelves.take(call, [{ field: "a", id: 1n }, { field: "b", id: 3n }], taker))
    .rejects.toMatchObject({ reason: "kernel.other_owner", message: "b: 3 belongs to another owner" });
  await expect(shelves.take(call, [{ field: "a", id: 1n }, { field: "b", id: 9n }], taker))
    .rejects.toMatchObject({ kind: "invalid", message: "b: shelf 9 does not exist" });
  await call.transact((inner) => shelves.remove.run(inner, { id: 1n }));
  await expect(shelves.take(call, [{ field: "a", id: 1n }], taker)).rejects.toThrow("a: shelf 1 does not exist");
});

test("removeSome deletes the rows of one user in parts", async () => {
  const { db, call } = rig;
  const shelves = ownedRows(db, "shelves", errors.not_found);
  const remove = (limit: number) => call.transact((inner) => shelves.removeSome(inner, 7n, limit));
  expect(await remove(1)).toBe(1n);
  expect(await remove(5)).toBe(1n);
  expect(await remove(5)).toBe(0n);
  expect((await shelves.byIds.all(call, { ids: [1n, 2n, 3n, 4n] })).map(({ id }) => id)).toEqual([3n, 4n]);
});

test("usedBy describes the references that a statement finds", async () => {
  const { db, call } = rig;
  const ofUser = db.query((q, p: { id: bigint; limit: number }) =>
    q.selectFrom("shelves").select("room").where("userId", "=", p.id).orderBy("id").limit(p.limit)
  );
  const check = usedBy(ofUser, ({ room }) => `the shelf in the ${room}`);
  expect(await check.referencesTo(call, 8n, 1)).toEqual(["the shelf in the hall"]);
  const inUse = (users: string) => errors.in_use(8n, users);
  const refused = refuseWhenUsed(call, 8n, [check, check], inUse);
  await expect(refused).rejects.toBeInstanceOf(RpcError);
  await expect(refused).rejects.toThrow("used by the shelf in the hall, the shelf in the attic, the shelf in the hall");
  await refuseWhenUsed(call, 9n, [check], inUse);
});
