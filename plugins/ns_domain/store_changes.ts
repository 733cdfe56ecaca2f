import { anyOf, type Call, type Db, isLive } from "edgehelm";
import { type RawBuilder, sql } from "kysely";
import type { Status } from "./rules.ts";
import { isForbidden } from "./store.ts";
import type { NSDomainFeed, NSDomainList, NSDomainRow, Tables } from "./store_tables.ts";

/** A new domain, apart from its name. */
interface NewDomain {
  readonly nsClusterId: bigint;
  readonly userId: bigint;
  readonly status: Status;
  readonly groupIds: string;
  readonly createdAt: bigint;
}

/** New domains that differ only in their names. */
export interface NewDomains extends NewDomain {
  readonly names: readonly string[];
}

/** Returns the statements that change domains. */
export function nsDomainChanges(db: Db<Tables>, list: NSDomainList, feed: NSDomainFeed) {
  const insert = domainInsertion(db, feed);
  const change = db.query((q, p: NSDomainRow) =>
    q.updateTable("nsDomains").set({
      nsClusterId: p.nsClusterId,
      userId: p.userId,
      isOn: p.isOn,
      isOffByAdmin: p.isOffByAdmin,
      status: p.status,
      groupIds: p.groupIds,
      tsigJSON: p.tsigJSON,
      recordsHealthCheckJSON: p.recordsHealthCheckJSON,
      version: feed.nextVersion,
    }).where("id", "=", p.id)
  );
  const softDelete = db.query((q, p: { ids: bigint[] }) =>
    q.updateTable("nsDomains").from(sql<{ key: bigint; value: bigint }>`json_each(${p.ids})`.as("item"))
      .set({ state: 0n, version: sql`${feed.nextVersion} + item.key` })
      .whereRef("nsDomains.id", "=", "item.value").where(isLive)
  );

  return {
    /** Creates domains with consecutive versions and returns their ids in the order of the names. */
    async create(call: Call, domains: NewDomains): Promise<bigint[]> {
      const ids = await insert(call, domains);
      await feed.advance(call, ids.length);
      await list.added(call, ids);
      return ids;
    },
    /** Changes a domain and assigns it the next version. */
    async change(call: Call, row: NSDomainRow, changes: Partial<NSDomainRow>): Promise<void> {
      await change.run(call, { ...row, ...changes });
      await feed.advance(call, 1);
    },
    async softDelete(call: Call, ids: bigint[]): Promise<void> {
      if (ids.length === 0) return;
      await softDelete.run(call, { ids });
      await feed.advance(call, ids.length);
    },
    /** Allows users to use the names of deleted domains. */
    allowDeleted: db.query((q, p: { names: readonly string[] }) =>
      q.updateTable("nsDomains").set({ status: "none", isOffByAdmin: 0n }).where("name", "in", anyOf(p.names))
        .where(isForbidden).where("state", "=", 0n)
    ),
    setVerifyTXT: db.query((q, p: { id: bigint; verifyTXT: string; verifyExpiresAt: bigint }) =>
      q.updateTable("nsDomains").set({ verifyTXT: p.verifyTXT, verifyExpiresAt: p.verifyExpiresAt })
        .where("id", "=", p.id)
    ),
    endFollow: db.query((q, p: { nsDomainId: bigint; changes: bigint }) =>
      q.deleteFrom("nsDomainFollowings").where("nsDomainId", "=", p.nsDomainId).where("changes", "=", p.changes)
    ),
  };
}

export type NSDomainChanges = ReturnType<typeof nsDomainChanges>;

/** Returns the function that inserts domains and returns their ids in the order of the names. */
function domainInsertion(db: Db<Tables>, feed: NSDomainFeed) {
  const insertAll = insertFrom(db, feed, (p: NewDomains) => sql`json_each(${p.names})`);
  // at a third of the cost of a list of one
  const insertOne = insertFrom(
    db,
    feed,
    (p: NewDomain & { name: string }) => sql`(select 0 as key, ${p.name} as value)`,
  );

  return async (call: Call, { names, ...domain }: NewDomains): Promise<bigint[]> => {
    const [name] = names;
    if (names.length === 1) return [(await insertOne.one(call, { ...domain, name: name! })).id];
    const rows = await insertAll.all(call, { ...domain, names });
    const idOf = new Map(rows.map(({ id, name }) => [name, id]));
    return names.map((name) => idOf.get(name)!);
  };
}

/** Compiles the statement that inserts a domain for each item of a source, whose values are the names. */
function insertFrom<Values extends NewDomain>(
  db: Db<Tables>,
  { nextVersion }: NSDomainFeed,
  source: (p: Values) => RawBuilder<{ key: bigint; value: string }>,
) {
  return db.query((q, p: Values) =>
    q.insertInto("nsDomains")
      .columns(["nsClusterId", "userId", "name", "status", "groupIds", "createdAt", "version"])
      .expression((e) =>
        e.selectFrom(source(p).as("item")).select([
          sql<bigint>`${p.nsClusterId}`.as("nsClusterId"),
          sql<bigint>`${p.userId}`.as("userId"),
          "item.value as name",
          sql<Status>`${p.status}`.as("status"),
          sql<string>`${p.groupIds}`.as("groupIds"),
          sql<bigint>`${p.createdAt}`.as("createdAt"),
          sql<bigint>`${nextVersion} + item.key`.as("version"),
        ])
      ).returning(["id", "name"])
  );
}
