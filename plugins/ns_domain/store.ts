import { anyOf, type Call, type Db, type DefaultFlag } from "edgehelm";
import { type Generated, type Selectable, sql, type SqlBool } from "kysely";
import type { Status } from "./rules.ts";

export interface Tables {
  nsDomains: {
    id: Generated<bigint>;
    nsClusterId: bigint;
    userId: bigint;
    name: string;
    isOn: DefaultFlag;
    status: Status;
    /** A JSON array; nsDomainGroupLinks contains the same data by group. */
    groupIds: Generated<string>;
    tsigJSON: Uint8Array | null;
    recordsHealthCheckJSON: Uint8Array | null;
    verifyTXT: Generated<string>;
    verifyExpiresAt: Generated<bigint>;
    createdAt: bigint;
    version: bigint;
    state: Generated<bigint>;
  };
  nsDomainGroupLinks: { nsDomainGroupId: bigint; nsDomainId: bigint };
  nsDomainBuckets: {
    userId: bigint;
    nsClusterId: bigint;
    nsDomainGroupId: bigint;
    idBits: bigint;
    bucket: bigint;
    status: Status;
    n: bigint;
  };
  nsDomainSearch: { rowid: bigint; nsDomainSearch: string; name: string };
  /** Has a single row: the id up to which domains are in the search index. */
  nsDomainSearchState: { id: bigint; indexedId: bigint };
  nsDomainSearchRemovals: { nsDomainId: bigint };
  nsDomainVersions: { id: bigint; version: bigint };
  nsDomainDepartures: { nsClusterId: bigint; nsDomainId: bigint; version: bigint };
  nsDomainFollowings: { nsDomainId: bigint; changes: bigint };
}

export type NSDomainRow = Selectable<Tables["nsDomains"]>;

/** A literal, because a parameter would prevent SQLite from using the partial indexes of live rows. */
export const isLive = sql<SqlBool>`nsDomains.state = 1`;
/** The condition of the partial indexes by owner; a literal for the same reason. */
export const isOwned = sql<SqlBool>`nsDomains.userId <> 0`;
const isVerified = sql<SqlBool>`nsDomains.status = 'verified'`;

/** Returns the statements that find single domains and change domains. Those of the installation have the user id 0. */
export function nsDomainStore(db: Db<Tables>) {
  const nextVersion = sql<bigint>`(select version + 1 from nsDomainVersions where id = 1)`;
  const countVersions = db.query((q, p: { count: number }) =>
    q.updateTable("nsDomainVersions").set({ version: sql`version + ${p.count}` }).where("id", "=", 1n)
  );
  const insert = db.query((q, p: NewDomains) =>
    q.insertInto("nsDomains")
      .columns(["nsClusterId", "userId", "name", "status", "groupIds", "createdAt", "version"])
      .expression((e) =>
        e.selectFrom(sql<{ key: bigint; value: string }>`json_each(${p.names})`.as("item")).select([
          sql<bigint>`${p.nsClusterId}`.as("nsClusterId"),
          sql<bigint>`${p.userId}`.as("userId"),
          "item.value as name",
          sql<Status>`${p.status}`.as("status"),
          sql<string>`${p.groupIds}`.as("groupIds"),
          sql<bigint>`${p.createdAt}`.as("createdAt"),
          sql<bigint>`${nextVersion} + item.key`.as("version"),
        ]).orderBy("item.key")
      ).returning(["id", "name"])
  );
  /** Inserts one domain, at a third of the cost of `insert`. */
  const insertOne = db.query((q, p: Omit<NewDomains, "names"> & { name: string }) =>
    q.insertInto("nsDomains").values({
      nsClusterId: p.nsClusterId,
      userId: p.userId,
      name: p.name,
      status: p.status,
      groupIds: p.groupIds,
      createdAt: p.createdAt,
      version: nextVersion,
    }).returning("id")
  );
  // Triggers count changed and deleted domains. New domains are counted here, once per batch.
  const countNew = db.query((q, p: Omit<NewDomains, "names"> & { ids: bigint[] }) =>
    q.insertInto("nsDomainBuckets")
      .columns(["userId", "nsClusterId", "nsDomainGroupId", "idBits", "bucket", "status", "n"])
      .expression((e) =>
        e.selectFrom([
          sql<{ value: bigint }>`json_each(${p.ids})`.as("item"),
          sql<{ value: bigint }>`(select 0 as value union select ${p.userId})`.as("u"),
          sql<{ value: bigint }>`(select 0 as value union select ${p.nsClusterId})`.as("c"),
          sql<{ value: bigint }>`(select 0 as value union select value from json_each(${p.groupIds}))`.as("g"),
          sql<{ value: bigint }>`(select 10 as value union select 16)`.as("b"),
        ]).select([
          "u.value as userId",
          "c.value as nsClusterId",
          "g.value as nsDomainGroupId",
          "b.value as idBits",
          sql<bigint>`item.value >> b.value`.as("bucket"),
          sql<Status>`${p.status}`.as("status"),
          sql<bigint>`count(*)`.as("n"),
        ]).groupBy([sql`1`, sql`2`, sql`3`, sql`4`, sql`5`])
          // An upsert after a select requires a where clause; otherwise its "on" is parsed as that of a join.
          .where(sql<SqlBool>`true`)
      )
      .onConflict((conflict) =>
        conflict.columns(["userId", "nsClusterId", "nsDomainGroupId", "idBits", "bucket", "status"])
          .doUpdateSet({ n: sql<bigint>`nsDomainBuckets.n + excluded.n` })
      )
  );
  /** Counts one new domain without groups. */
  const countOne = db.query((q, p: Omit<NewDomains, "names" | "groupIds"> & { id: bigint }) =>
    q.insertInto("nsDomainBuckets")
      .columns(["userId", "nsClusterId", "nsDomainGroupId", "idBits", "bucket", "status", "n"])
      .expression((e) =>
        e.selectFrom([
          sql<{ value: bigint }>`(select 0 as value union all select ${p.userId} where ${p.userId} <> 0)`.as("u"),
          sql<{ value: bigint }>`(select 0 as value union all select ${p.nsClusterId})`.as("c"),
          sql<{ value: bigint }>`(select 10 as value union all select 16)`.as("b"),
        ]).select([
          "u.value as userId",
          "c.value as nsClusterId",
          sql<bigint>`0`.as("nsDomainGroupId"),
          "b.value as idBits",
          sql<bigint>`${p.id} >> b.value`.as("bucket"),
          sql<Status>`${p.status}`.as("status"),
          sql<bigint>`1`.as("n"),
        ]).where(sql<SqlBool>`true`)
      )
      .onConflict((conflict) =>
        conflict.columns(["userId", "nsClusterId", "nsDomainGroupId", "idBits", "bucket", "status"])
          .doUpdateSet({ n: sql<bigint>`nsDomainBuckets.n + 1` })
      )
  );
  const link = db.query((q, p: { ids: bigint[]; groupIds: string }) =>
    q.insertInto("nsDomainGroupLinks").columns(["nsDomainGroupId", "nsDomainId"]).expression((e) =>
      e.selectFrom([
        sql<{ value: bigint }>`json_each(${p.groupIds})`.as("g"),
        sql<{ value: bigint }>`json_each(${p.ids})`.as("item"),
      ]).select(["g.value as nsDomainGroupId", "item.value as nsDomainId"]).distinct()
    )
  );
  const softDeleteByIds = db.query((q, p: { ids: bigint[] }) =>
    q.updateTable("nsDomains").from(sql<{ key: bigint; value: bigint }>`json_each(${p.ids})`.as("item"))
      .set({ state: 0n, version: sql`${nextVersion} + item.key` })
      .whereRef("nsDomains.id", "=", "item.value").where(isLive)
  );
  const change = db.query((q, p: NSDomainRow) =>
    q.updateTable("nsDomains").set({
      nsClusterId: p.nsClusterId,
      userId: p.userId,
      isOn: p.isOn,
      status: p.status,
      groupIds: p.groupIds,
      tsigJSON: p.tsigJSON,
      recordsHealthCheckJSON: p.recordsHealthCheckJSON,
      version: nextVersion,
    }).where("id", "=", p.id)
  );

  return {
    byId: db.query((q, p: { id: bigint }) =>
      q.selectFrom("nsDomains").selectAll().where("id", "=", p.id).where(isLive)
    ),
    /** Finds one domain with a name on a cluster, of any owner. */
    namesake: db.query((q, p: { nsClusterId: bigint; name: string }) =>
      q.selectFrom("nsDomains").select("id").where("nsClusterId", "=", p.nsClusterId).where("name", "=", p.name)
        .where(isLive).limit(sql.lit(1))
    ),
    /** Finds all domains with these names on a cluster, of any owner. */
    namesakes: db.query((q, p: { nsClusterId: bigint; names: readonly string[] }) =>
      q.selectFrom("nsDomains").select(["id", "name", "userId", "status"])
        .where("nsClusterId", "=", p.nsClusterId).where("name", "in", anyOf(p.names)).where(isLive)
    ),
    /** Finds an owner's domains with a name: the verified one first, then the oldest. */
    byOwnerAndName: db.query((q, p: { userId: bigint; name: string }) =>
      q.selectFrom("nsDomains").selectAll().where("name", "=", p.name).where("userId", "=", p.userId).where(isLive)
        .orderBy(isVerified, "desc").orderBy("id")
    ),
    /** Finds a verified domain with a name: the common case. */
    verifiedByName: db.query((q, p: { name: string }) =>
      q.selectFrom("nsDomains").selectAll().where("name", "=", p.name).where(isVerified).where(isLive)
    ),
    /** Finds the domains with a name, of any owner: verified ones first, then the oldest. */
    byName: db.query((q, p: { name: string }) =>
      q.selectFrom("nsDomains").selectAll().where("name", "=", p.name).where(isLive)
        .orderBy(isVerified, "desc").orderBy("id").limit(sql.lit(100))
    ),
    verifiedOnCluster: db.query((q, p: { nsClusterId: bigint; name: string }) =>
      q.selectFrom("nsDomains").selectAll().where("nsClusterId", "=", p.nsClusterId).where("name", "=", p.name)
        .where(isVerified).where(isLive)
    ),
    byIds: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("nsDomains").selectAll().where("id", "in", anyOf(p.ids)).where(isLive)
    ),
    ofOwner: db.query((q, p: { userId: bigint; names: readonly string[] }) =>
      q.selectFrom("nsDomains").select(["id", "name", "isOn", "userId", "nsClusterId"]).where(
        "name",
        "in",
        anyOf(p.names),
      )
        .where("userId", "=", p.userId).where(isLive).orderBy("id")
    ),
    verifiedNames: db.query((q, p: { names: readonly string[] }) =>
      q.selectFrom("nsDomains").select("name").distinct().where("name", "in", anyOf(p.names))
        .where(isVerified).where(isLive)
    ),
    afterVersion: db.query((q, p: { version: bigint; size: bigint }) =>
      q.selectFrom("nsDomains").selectAll().where("version", ">", p.version).orderBy("version").limit(p.size)
    ),
    ofClusterAfterVersion: db.query((q, p: { nsClusterId: bigint; version: bigint; size: bigint }) =>
      q.selectFrom("nsDomains").selectAll().where("nsClusterId", "=", p.nsClusterId)
        .where("version", ">", p.version).orderBy("version").limit(p.size)
    ),
    /** Finds the domains that left a cluster, with the version of the move. */
    departedAfterVersion: db.query((q, p: { nsClusterId: bigint; version: bigint; size: bigint }) =>
      q.selectFrom("nsDomainDepartures as departure").innerJoin("nsDomains", "nsDomains.id", "departure.nsDomainId")
        .selectAll("nsDomains").select("departure.version as version")
        .where("departure.nsClusterId", "=", p.nsClusterId).where("departure.version", ">", p.version)
        .orderBy("departure.version").limit(p.size)
    ),
    latestOfCluster: db.query((q, p: { nsClusterId: bigint }) =>
      q.selectNoFrom(sql<bigint>`max(
        (select coalesce(max(version), 0) from nsDomains where nsClusterId = ${p.nsClusterId}),
        (select coalesce(max(version), 0) from nsDomainDepartures where nsClusterId = ${p.nsClusterId})
      )`.as("version"))
    ),
    nextToFollow: db.query((q) => q.selectFrom("nsDomainFollowings").selectAll().limit(sql.lit(1))),
    stateOf: db.query((q, p: { nsDomainId: bigint }) =>
      q.selectFrom("nsDomains").select(["id", "nsClusterId", "state"]).where("id", "=", p.nsDomainId)
    ),
    endFollow: db.query((q, p: { nsDomainId: bigint; changes: bigint }) =>
      q.deleteFrom("nsDomainFollowings").where("nsDomainId", "=", p.nsDomainId).where("changes", "=", p.changes)
    ),
    setVerifyTXT: db.query((q, p: { id: bigint; verifyTXT: string; verifyExpiresAt: bigint }) =>
      q.updateTable("nsDomains").set({ verifyTXT: p.verifyTXT, verifyExpiresAt: p.verifyExpiresAt })
        .where("id", "=", p.id)
    ),
    someOfUser: db.query((q, p: { userId: bigint; limit: number }) =>
      q.selectFrom("nsDomains").select("id").where("userId", "=", p.userId).where(isOwned).where(isLive)
        .limit(p.limit)
    ),

    /** Creates domains with consecutive versions and returns their ids in the order of the names. */
    async create(call: Call, domains: NewDomains): Promise<bigint[]> {
      const [name, ...others] = domains.names;
      if (name !== undefined && others.length === 0 && domains.groupIds === "[]") {
        const { id } = await insertOne.one(call, { ...domains, name });
        await countVersions.defer(call, { count: 1 });
        await countOne.defer(call, { ...domains, id });
        return [id];
      }
      const rows = await insert.all(call, domains);
      const idOf = new Map(rows.map(({ id, name }) => [name, id]));
      const ids = domains.names.map((name) => idOf.get(name)!);
      await countVersions.defer(call, { count: ids.length });
      await countNew.defer(call, { ...domains, ids });
      if (domains.groupIds !== "[]") await link.defer(call, { ids, groupIds: domains.groupIds });
      return ids;
    },
    /** Changes a domain and assigns it the next version. */
    async change(call: Call, row: NSDomainRow, changes: Partial<NSDomainRow>): Promise<void> {
      await change.run(call, { ...row, ...changes });
      await countVersions.defer(call, { count: 1 });
    },
    async softDelete(call: Call, ids: bigint[]): Promise<void> {
      if (ids.length === 0) return;
      await softDeleteByIds.run(call, { ids });
      await countVersions.defer(call, { count: ids.length });
    },
  };
}

export type NSDomainStore = ReturnType<typeof nsDomainStore>;

/** New domains that differ only in their names. */
export interface NewDomains {
  readonly nsClusterId: bigint;
  readonly userId: bigint;
  readonly names: readonly string[];
  readonly status: Status;
  readonly groupIds: string;
  readonly createdAt: bigint;
}
