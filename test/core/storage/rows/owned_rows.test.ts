import { type Call, type Db, defineErrors, definePlugin, ownedRows } from "edgehelm";
import { deleteRow, findRow, type LiveTable, type OwnedRows, type Referrer, updateRow } from "edgehelm/rows";
import { as, type TestCaller, type TestKernel, testKernel } from "edgehelm/testing";
import { type Kysely, type Selectable, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HelloWorldService } from "../../../../plugins/hello_world/proto/service_hello_world_pb.ts";

/** Books refer to authors; shelves of owners, kept in memory, refer to books. */
interface Tables {
  books: LiveTable<{ userId: bigint; authorId: bigint; isForSharing: bigint }>;
  authors: LiveTable<{ userId: bigint }>;
}
const errors = (noun: string) =>
  defineErrors("library", { not_found: ["not_found", (id: bigint) => `${noun} ${id} does not exist`] });

const [ada, bob] = [as.user(7n), as.user(8n)];
const shelves: { userId: bigint; bookId: bigint }[] = [];
/** The number of books in each question for the shelves of a user. */
const asked: number[] = [];
const onShelves: Referrer = {
  async referredFor(_call, ids, userId) {
    asked.push(ids.length);
    return booksWhere((shelf) => shelf.userId === userId, ids);
  },
  referredByOthers: async (_call, ids, userId) => booksWhere((shelf) => shelf.userId !== userId, ids),
};
const booksWhere = (isMatch: (shelf: { userId: bigint }) => boolean, ids: readonly bigint[]) =>
  shelves.filter(isMatch).map(({ bookId }) => bookId).filter((id) => ids.includes(id));

let edgehelm: TestKernel;
let books: OwnedRows<Selectable<Tables["books"]>>;
let authors: OwnedRows<Selectable<Tables["authors"]>>;
let work: (call: Call) => Promise<unknown>;
let result: unknown;
let db: Db<Tables>;
const plugin = definePlugin({
  manifest: {
    ...{ name: "library", version: "1.0.0", kernel: "^1" },
    ...{ services: ["HelloWorldService"], tables: ["books", "authors"] },
  },
  migrations: {
    "0001_create_books": {
      up: async (q: Kysely<never>) => {
        await sql`create table authors (id integer primary key, userId integer not null,
          state integer not null default 1) strict`.execute(q);
        await sql`create table books (id integer primary key, userId integer not null, authorId integer not null,
          isForSharing integer not null default 0, state integer not null default 1) strict`.execute(q);
        await sql`create index books_author on books (authorId, userId) where state = 1`.execute(q);
        for (const table of ["authors", "books"]) {
          await sql.raw(`create index ${table}_user on ${table} (userId, id) where state = 1`).execute(q);
        }
      },
    },
  },
  setup(setup) {
    db = setup.db<Tables>();
    const bookReferrers: Referrer[] = [];
    authors = ownedRows(db, "authors", errors("author").not_found, { referrers: bookReferrers });
    books = ownedRows(db, "books", errors("book").not_found, {
      referrers: [onShelves],
      isForSharing: (row) => row.isForSharing === 1n,
      taken: (call, { authorId }, field, taker) => authors.take(call, [{ field, id: authorId }], taker),
    });
    bookReferrers.push(books.referrer({ table: "books", target: "authorId", id: "id" }));
    setup.serve(HelloWorldService, { sayHello: async (_request, call) => ((result = await work(call)), {}) });
  },
});

beforeEach(async () => {
  shelves.length = asked.length = 0;
  edgehelm = await testKernel({ plugins: [plugin] });
});
afterEach(() => edgehelm[Symbol.asyncDispose]());

/** Runs work in a call of the caller. */
async function run<Result>(caller: TestCaller, next: (call: Call) => Promise<Result>): Promise<Result> {
  work = next;
  await edgehelm.call(caller, HelloWorldService.method.sayHello, {});
  return result as Result;
}

async function write<Result>(next: (call: Call) => Promise<Result>): Promise<Result> {
  return await edgehelm.kernel.systemCall("test").transact(next);
}

const author = (userId: bigint) =>
  write(async (call) => (await db.insert("authors", ["userId"]).one(call, { userId })).id);
const book = (userId: bigint, authorId: bigint, isForSharing = 0n) =>
  write(async (call) =>
    (await db.insert("books", ["userId", "authorId", "isForSharing"]).one(call, { userId, authorId, isForSharing })).id
  );
/** Puts a book on a shelf of an owner, as a plugin does when an admin refers to it. */
const put = (userId: bigint, id: bigint, previousUserId = 0n) =>
  write(async (call) => {
    shelves.push({ userId, bookId: id });
    await books.take(call, [{ field: "bookId", id }], { userId, previousUserId });
  });
type Findable = Pick<OwnedRows<{ readonly userId: bigint }>, "find">;
const ownerOf = async (rows: Findable, id: bigint) =>
  await run(as.admin(), async (call) => (await rows.find(call, id))?.userId);
const sees = async (caller: TestCaller, rows: Findable, id: bigint) =>
  await run(caller, async (call) => await rows.find(call, id) !== undefined);

describe("a row of the installation", () => {
  test("becomes, with what it refers to, the owner's whose object is the first to refer to it", async () => {
    const authorId = await author(0n);
    const id = await book(0n, authorId);
    expect(await sees(ada, books, id)).toBe(false);
    await put(7n, id);
    expect([await ownerOf(books, id), await ownerOf(authors, authorId)]).toEqual([7n, 7n]);
    await expect(put(8n, id)).rejects.toMatchObject({ reason: "kernel.other_owner", message: /^bookId: 1 belongs/ });
    await expect(put(0n, id)).rejects.toMatchObject({ reason: "kernel.other_owner" });
  });

  test.each([["another owner's object", 0n, 0n], ["nothing, but is made for sharing", undefined, 1n]])(
    "stays with it if referred to by %s, and is shared",
    async (_title, other, isForSharing) => {
      const authorId = await author(0n);
      const id = await book(0n, authorId, isForSharing);
      if (other !== undefined) await put(other, id);
      await put(7n, id);
      await put(8n, id);
      expect([await ownerOf(books, id), await ownerOf(authors, authorId)]).toEqual([0n, 0n]);
      for (const user of [ada, bob]) {
        expect([await sees(user, books, id), await sees(user, authors, authorId)]).toEqual([true, true]);
      }
      expect([await sees(as.user(9n), books, id), await sees(as.user(9n), authors, authorId)])
        .toEqual([false, false]);
      await expect(run(ada, (call) => books.require(call, "bookId", id)))
        .rejects.toMatchObject({
          code: 403,
          reason: "kernel.shared",
          message: `bookId: ${id} belongs to the installation: users may use it, only admins change it`,
        });
      await expect(run(ada, (call) => books.requireAll(call, [id]))).rejects.toMatchObject({ reason: "kernel.shared" });
      await expect(run(as.user(9n), (call) => books.require(call, "bookId", id)))
        .rejects.toMatchObject({ code: 404, reason: "library.not_found" });
      expect(await run(as.admin(), (call) => books.require(call, "bookId", id))).toMatchObject({ id });
    },
  );

  test("may be referred to by the users it is shared with, and stays with the installation then", async () => {
    const id = await book(0n, await author(0n), 1n);
    await put(7n, id);
    const refer = (caller: TestCaller, userId: bigint) =>
      run(caller, (call) => books.take(call, [{ field: "bookIds[0]", id }], { userId }));
    await refer(ada, 7n);
    await expect(refer(bob, 8n))
      .rejects.toMatchObject({ code: 400, message: `bookIds[0]: book ${id} does not exist` });
    expect(await ownerOf(books, id)).toBe(0n);
  });

  test("keeps what rows of other owners refer to, which is then shared", async () => {
    const authorId = await author(0n);
    const [first, second] = [await book(0n, authorId), await book(0n, authorId)];
    await put(7n, first);
    expect(await ownerOf(authors, authorId)).toBe(0n);
    expect([await sees(ada, authors, authorId), await sees(bob, authors, authorId)]).toEqual([true, false]);
    await put(7n, second);
    expect(await ownerOf(authors, authorId)).toBe(7n);
  });
});

test("a transfer moves what only the transferred object uses, and is refused for what else is in use", async () => {
  const authorId = await author(7n);
  const id = await book(7n, authorId);
  shelves.push({ userId: 7n, bookId: id });
  await expect(put(8n, id, 7n)).rejects.toMatchObject({ reason: "kernel.other_owner" });
  shelves.length = 0;
  await put(8n, id, 7n);
  expect([await ownerOf(books, id), await ownerOf(authors, authorId)]).toEqual([8n, 8n]);
  await put(0n, await book(8n, await author(8n)), 8n);
  expect(await ownerOf(books, 2n)).toBe(0n);
});

test("the handlers of operations without rules read what is visible, and change what is owned", async () => {
  const id = await book(0n, await author(0n), 1n);
  await put(7n, id);
  const find = findRow(books, "bookId", "book", ({ authorId }) => ({ authorId }));
  const update = updateRow(books, "bookId", db.update("books", ["authorId"]), () => ({ authorId: 5n }));
  expect(await run(ada, (call) => find({ bookId: id }, call))).toEqual({ book: { authorId: 1n } });
  expect(await run(bob, (call) => find({ bookId: id }, call))).toEqual({});
  for (const change of [update, deleteRow(books, "bookId")]) {
    await expect(run(ada, (call) => change({ bookId: id }, call))).rejects.toMatchObject({ reason: "kernel.shared" });
    await expect(run(bob, (call) => change({ bookId: id }, call))).rejects.toMatchObject({ code: 404 });
  }
});

describe("a row to which very many rows refer", () => {
  const MANY = 1000;
  /** Creates books of one author that differ only in their owner. */
  const bookshop = (authorId: bigint, userId: bigint) =>
    write(async (call) => {
      await sql`insert into books (userId, authorId) select ${userId}, ${authorId}
        from json_each(${JSON.stringify(Array(MANY).fill(0))})`.execute(db(call));
    });

  test("is found by one own row, without reading the others", async () => {
    const authorId = await author(0n);
    await bookshop(authorId, 8n);
    await bookshop(authorId, 0n);
    expect(await sees(ada, authors, authorId)).toBe(false);
    expect(asked).toEqual([100, 400, 500]);
    asked.length = 0;
    await book(7n, authorId);
    expect(await sees(ada, authors, authorId)).toBe(true);
    expect(asked).toEqual([]);
  });

  test("is found by a shared row on a late page, and pages end with it", async () => {
    const authorId = await author(0n);
    await bookshop(authorId, 0n);
    shelves.push({ userId: 7n, bookId: 150n });
    expect(await sees(ada, authors, authorId)).toBe(true);
    expect(asked).toEqual([100, 400]);
  });

  test("stays with the installation for one row of another owner among many of the taker", async () => {
    const authorId = await author(0n);
    await bookshop(authorId, 7n);
    const take = () => write((call) => authors.take(call, [{ field: "authorId", id: authorId }], { userId: 7n }));
    await book(8n, authorId);
    await take();
    expect(await ownerOf(authors, authorId)).toBe(0n);
    await write((call) => books.remove.run(call, { id: BigInt(MANY) + 1n }));
    await take();
    expect(await ownerOf(authors, authorId)).toBe(7n);
  });
});
