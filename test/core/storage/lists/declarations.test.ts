import { type Db, definePlugin, type Plugin } from "edgehelm";
import { declareFeed, declareList } from "edgehelm/storage";
import { testKernel } from "edgehelm/testing";
import { type Generated, type Kysely, sql } from "kysely";
import { describe, expect, test } from "vitest";

interface Tables {
  notes: { id: Generated<bigint>; userId: bigint; text: string };
}
interface LaterTables {
  notes: Tables["notes"] & { folderId: bigint; title: string };
}

const PAGE = { offset: 0n, size: 10n };
const first = declareList({ table: "notes", scopes: ["userId"], search: ["text"] });
const later = declareList({ table: "notes", scopes: ["folderId", "userId"], search: ["text", "title"] });

const createNotes = {
  up: async (db: Kysely<never>) =>
    void await sql`create table notes (id integer primary key autoincrement, userId integer not null,
      text text not null) strict`.execute(db),
};
const addColumns = {
  up: async (db: Kysely<never>) => {
    await sql`alter table notes add column folderId integer not null default 5`.execute(db);
    await sql`alter table notes add column title text not null default 'untitled'`.execute(db);
  },
};

function notesPlugin<T>(
  parts: Pick<Plugin, "lists" | "migrations">,
  onTables: (db: Db<T>) => void = () => {},
  tables = ["notes"],
): Plugin {
  return definePlugin({
    manifest: { name: "notes", version: "1.0.0", kernel: "^1", services: [], tables },
    lists: parts.lists ?? [],
    migrations: parts.migrations ?? {},
    setup: ({ db }) => onTables(db<T>()),
  });
}

describe.each(["a new", "a filled"])("a changed declaration on %s database", (kind) => {
  test("is made again by its migration under the next name", async () => {
    let notes!: Db<Tables>;
    const before = notesPlugin<Tables>({
      lists: [first],
      migrations: { "0001_create_notes": createNotes, "0002_list_notes": first.migration },
    }, (db) => void (notes = db));
    const old = await testKernel({ plugins: kind === "a new" ? [] : [before] });
    const insert = (db: Db<Tables>, call = edgehelm.kernel.systemCall("test")) =>
      call.transact((inner) =>
        db(inner).insertInto("notes").values([1n, 2n, 2n].map((userId) => ({ userId, text: "bread" }))).execute()
      );
    if (kind === "a filled") {
      await insert(notes, old.kernel.systemCall("test"));
      await old.kernel.runJob("notes.index_notes");
    }
    let list!: ReturnType<typeof later.open<LaterTables>>;
    let laterNotes!: Db<LaterTables>;
    const after = notesPlugin<LaterTables>({
      lists: [later],
      migrations: {
        "0001_create_notes": createNotes,
        "0002_list_notes": later.migration,
        "0003_add_columns": addColumns,
        "0004_list_notes": later.migration,
      },
    }, (db) => {
      laterNotes = db;
      list = later.open(db);
    });
    await old.stop();
    const { directory } = old;
    const edgehelm = await testKernel({ plugins: [after], directory });
    if (kind === "a new") await insert(laterNotes as unknown as Db<Tables>);
    const call = edgehelm.kernel.systemCall("test");
    for (let round = 0; round < 2; round++) {
      expect(await list.count(call, { folderId: 5n, userId: 2n })).toBe(2n);
      expect((await list.page(call, { folderId: 5n, keyword: "title" }, PAGE)).map(({ id }) => id)).toEqual([
        3n,
        2n,
        1n,
      ]);
      await edgehelm.kernel.runJob("notes.index_notes");
    }
    await edgehelm[Symbol.asyncDispose]();
    await old[Symbol.asyncDispose]();
  });
});

test("a list is of a table of the plugin, and one of its migrations makes it", async () => {
  const foreign = declareList({ table: "others" });
  const plugin = notesPlugin({ lists: [foreign, first], migrations: { "0001_list_others": foreign.migration } });
  await expect(testKernel({ plugins: [plugin] })).rejects.toMatchObject({
    errors: [
      'plugin "notes" declares a list or feed of "others", which is not its table',
      'plugin "notes" declares a list or feed of "notes", whose migration is not in its migrations',
    ],
  });
});

test("derived tables belong to one plugin", async () => {
  const owner = notesPlugin({
    lists: [first],
    migrations: { "0001_create_notes": createNotes, "0002_list_notes": first.migration },
  });
  const other = definePlugin({
    manifest: { name: "other", version: "1.0.0", kernel: "^1", services: [], tables: ["notes_buckets"] },
    setup() {},
  });
  await expect(testKernel({ plugins: [owner, other] })).rejects.toThrow('table "notes_buckets" belongs to');
});

test.each([
  [{ table: "no tes" }, 'list or feed of "no tes": "no tes" must be letters, digits and _, beginning with a letter'],
  [{ table: "notes", scopes: ["user-id"] }, 'list or feed of "notes": "user-id" must be letters'],
  [{ table: "notes", choices: ["keyword"] }, 'list or feed of "notes": "keyword" cannot be a scope, link or choice'],
  [{ table: "notes", scopes: ["a", "b"], links: { a: "c" } }, 'list or feed of "notes": "a" is declared twice'],
  [{ table: "notes", scopes: ["a", "b", "c", "d"] }, 'list or feed of "notes": it has 4 scopes; at most 3'],
])("the declaration %o is refused", (declaration, message) => {
  expect(() => declareList(declaration)).toThrow(message);
});

test("the declaration of a feed is refused as well", () => {
  expect(() => declareFeed({ table: "notes", version: "the version" }))
    .toThrow('list or feed of "notes": "the version" must be letters');
});

test("names that are not declared, or not columns, do not compile", () => {
  notesPlugin<Tables>({}, (db) => {
    const list = first.open(db);
    const call = {} as never;
    // @ts-expect-error: a filter has only what is declared
    void (() => list.page(call, { folderId: 1n }, PAGE));
    // @ts-expect-error: a scope is an id
    void (() => list.count(call, { userId: "7" }));
    // @ts-expect-error: new rows are counted by a trigger
    void (() => list.added(call, [1n]));
    // @ts-expect-error: the columns of a list are columns of its table
    void (() => later.open(db));
    // @ts-expect-error: and so are those of a feed
    void (() => declareFeed({ table: "notes", version: "version" }).open(db));
  });
  expect(first.tables).toContain("notes_buckets");
});
