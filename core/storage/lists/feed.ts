import { type RawBuilder, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Call } from "../../base/call.ts";
import type { Db } from "../database.ts";
import { kernelCall } from "../kernel_call.ts";
import type { DbWith, DerivedTables, RowOf } from "./derived_tables.ts";
import { checkNames } from "./declaration.ts";
import { runAll } from "./migration.ts";

/** The declaration of a feed. See {@link declareFeed}. */
export interface FeedDeclaration {
  /** The table with the rows. Its `id` is an INTEGER PRIMARY KEY. */
  readonly table: string;
  /** The INTEGER column with the version of a row's last change, which no other row has. */
  readonly version: string;
  /** An INTEGER column, such as a cluster: a reader can follow the rows with one value of it. */
  readonly scope?: string;
  /** The column that is 0 after a soft deletion. A row that left a scope appears in it once more, as deleted. */
  readonly departures?: string;
}

/** The changes after a version. */
export interface FeedPage {
  /** The scope that the reader follows; 0 means all rows. */
  readonly scope: bigint;
  readonly version: bigint;
  /** The maximum number of rows. */
  readonly size: bigint;
}

/** The rows of a table in the order of their last changes. See {@link declareFeed}. */
export interface Feed<Row> {
  /** The version of the next change: the value to insert or set, plus the index of a row if there are several. */
  readonly nextVersion: RawBuilder<bigint>;
  /** Marks versions as used. To be called after the statement that used them, in its transaction. */
  advance(call: Call, count: number): Promise<void>;
  /** Returns the rows that changed after a version, oldest change first, including deleted ones. */
  after(call: Call, page: FeedPage): Promise<Row[]>;
  /** Returns the last version of a scope, or of all rows if it is 0. */
  latest(call: Call, scope: bigint): Promise<bigint>;
  /** Has a function called after each commit of changes by this instance. To be used in setup. */
  onChange(listener: () => void): void;
}

/** The columns that a declaration names. */
export type FeedColumn<D> = Extract<D[Extract<keyof D, "version" | "scope" | "departures">], string>;

/** A declared feed: the tables that the kernel keeps for it, and access to it. */
export interface DeclaredFeed<Declaration extends FeedDeclaration> extends DerivedTables {
  readonly declaration: Declaration;
  /** Makes the derived tables, indexes and triggers of the feed. Versions and departures that exist are kept. */
  readonly migration: Migration;
  /** Returns access to the feed, once in setup. */
  open<Tables>(
    db: Db<Tables> & DbWith<Tables, Declaration["table"], FeedColumn<Declaration> | "id">,
  ): Feed<RowOf<Tables, Declaration["table"]>>;
}

/**
 * Declares a feed of the rows of a table: readers such as nodes fetch what changed after the version that they know.
 *
 * @throws Error if the declaration is not valid
 *
 * @example
 * ```ts
 * import { declareFeed } from "edgehelm/storage";
 *
 * const noteFeed = declareFeed({ table: "notes", version: "version", scope: "groupId", departures: "state" });
 *
 * definePlugin({
 *   manifest,
 *   feeds: [noteFeed],
 *   migrations: { "0001_create_notes": createNotes, "0002_feed_notes": noteFeed.migration },
 *   setup({ db }) {
 *     const feed = noteFeed.open(db<Tables>());
 *     const rename = db<Tables>().query((q, p: { id: bigint; title: string }) =>
 *       q.updateTable("notes").set({ title: p.title, version: feed.nextVersion }).where("id", "=", p.id)
 *     );
 *   },
 * });
 *
 * await rename.run(call, { id, title });
 * await feed.advance(call, 1);
 * const changed = await feed.after(call, { scope: groupId, version: 0n, size: 100n });
 * ```
 */
export function declareFeed<const Declaration extends FeedDeclaration>(
  declaration: Declaration,
): DeclaredFeed<Declaration> {
  const { table, version, scope, departures } = declaration as FeedDeclaration;
  checkNames(table, [table, version, scope, departures].filter((name) => name !== undefined));
  const feed: FeedShape = {
    ...(declaration as FeedDeclaration),
    versions: `${table}_versions`,
    departed: `${table}_departures`,
  };
  return {
    declaration,
    table: feed.table,
    tables: [feed.versions, feed.departed],
    singleRow: [feed.versions],
    migration: runAll(feedSchema(feed)),
    open: (db) => openFeed(db as Db<unknown>, feed) as never,
  };
}

interface FeedShape extends FeedDeclaration {
  /** The table with one row: the last version that was used. */
  readonly versions: string;
  /** The table of rows that left a scope, with the versions of their moves. */
  readonly departed: string;
}

function feedSchema({ table, version, scope, departures, versions, departed }: FeedShape): string[] {
  const scoped = scope === undefined ? [] : [
    `create index "${table}_feed_scope" on "${table}" ("${scope}", "${version}")`,
  ];
  const departing = scope === undefined || departures === undefined ? [] : [
    `create table if not exists "${departed}" (scope integer not null, id integer not null, version integer not null,
      primary key (scope, id)) strict, without rowid`,
    `create index if not exists "${table}_feed_departed" on "${departed}" (scope, version)`,
    `create trigger "${table}_feed_moved" after update of "${scope}" on "${table}"
      when old."${scope}" <> new."${scope}" begin
        insert into "${departed}" (scope, id, version) values (old."${scope}", new.id, new."${version}")
          on conflict (scope, id) do update set version = excluded.version;
        delete from "${departed}" where scope = new."${scope}" and id = new.id;
      end`,
  ];
  return [
    `drop trigger if exists "${table}_feed_moved"`,
    ...["version", "scope"].map((name) => `drop index if exists "${table}_feed_${name}"`),
    `create table if not exists "${versions}" (id integer primary key, version integer not null) strict`,
    `insert into "${versions}" select 1, coalesce(max("${version}"), 0) from "${table}" where true
      on conflict (id) do update set version = max(version, excluded.version)`,
    `create unique index "${table}_feed_version" on "${table}" ("${version}")`,
    ...scoped,
    ...departing,
  ];
}

type Row = Record<string, unknown>;

function openFeed(db: Db<unknown>, { table, version, scope, departures, versions, departed }: FeedShape): Feed<Row> {
  const rows = sql.table(table);
  const versionOf = sql.ref(`${table}.${version}`);
  const follows = (p: { scope: bigint }) => sql`${sql.ref(`${table}.${scope}`)} = ${p.scope}`;
  const hasDepartures = scope !== undefined && departures !== undefined;
  const statement = <Values extends object, Result>(build: (p: Values) => RawBuilder<Result>) =>
    db.query<Values, Result>((q, p) => ({ compile: () => build(p).compile(q) }));

  const advance = statement((p: { count: number }) =>
    sql`update ${sql.table(versions)} set "version" = "version" + ${p.count} where "id" = 1`
  );
  const lastVersion = statement(() => sql<{ version: bigint }>`select "version" from ${sql.table(versions)}`);
  const after = statement((p: FeedPage) =>
    sql<Row>`select * from ${rows} where ${versionOf} > ${p.version} order by ${versionOf} limit ${p.size}`
  );
  const afterInScope = statement((p: FeedPage) =>
    sql<Row>`select * from ${rows} where ${follows(p)} and ${versionOf} > ${p.version}
      order by ${versionOf} limit ${p.size}`
  );
  const departedAfter = statement((p: FeedPage) =>
    sql<Row>`select ${rows}.*, departure."version" as ${sql.ref(version)} from ${sql.table(departed)} as departure
      cross join ${rows} where ${rows}."id" = departure."id" and departure."scope" = ${p.scope}
      and departure."version" > ${p.version} order by departure."version" limit ${p.size}`
  );
  const latestInScope = statement((p: { scope: bigint }) =>
    sql<{ version: bigint }>`select max(
      (select coalesce(max(${versionOf}), 0) from ${rows} where ${follows(p)}),
      ${
      hasDepartures
        ? sql`(select coalesce(max("version"), 0) from ${sql.table(departed)} where "scope" = ${p.scope})`
        : sql`0`
    }
    ) as "version"`
  );

  const listeners: (() => void)[] = [];
  const notify = () => {
    for (const listener of listeners) listener();
  };

  return {
    nextVersion: sql<bigint>`(select "version" + 1 from ${sql.table(versions)} where "id" = 1)`,
    async advance(call, count) {
      await advance.defer(call, { count });
      if (listeners.length > 0) kernelCall(call).afterCommit(notify);
    },
    onChange: (listener) => void listeners.push(listener),
    async after(call, page) {
      if (scope === undefined || page.scope === 0n) return await after.all(call, page);
      const current = await afterInScope.all(call, page);
      if (!hasDepartures) return current;
      const left = (await departedAfter.all(call, page)).map((row) => ({ ...row, [departures]: 0n }));
      const inOrder = [...current, ...left].sort((a: Row, b: Row) => a[version]! < b[version]! ? -1 : 1);
      return inOrder.slice(0, Number(page.size));
    },
    async latest(call, of) {
      const isScoped = scope !== undefined && of !== 0n;
      return (isScoped ? await latestInScope.one(call, { scope: of }) : await lastVersion.one(call, {})).version;
    },
  };
}
