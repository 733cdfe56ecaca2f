import { anyOf, type Call, type Db, isLive } from "edgehelm";
import { sql, type SqlBool } from "kysely";
import type { NSDomainFeed, Tables } from "./store_tables.ts";

const isVerified = sql<SqlBool>`status = 'verified'`;
/** The condition of the list's indexes by owner: a literal, because SQLite would not use them with a parameter. */
const isOwned = sql<SqlBool>`userId <> 0`;
const isOn = sql<SqlBool>`isOn = 1`;

/** Returns the statements that publish domains again, after the state of their owners changed. */
export function publishingStore(db: Db<Tables>, feed: NSDomainFeed) {
  const setVersions = db.query((q, p: { ids: readonly bigint[] }) =>
    q.updateTable("nsDomains").from(sql<{ key: bigint; value: bigint }>`json_each(${p.ids})`.as("item"))
      .set({ version: sql`${feed.nextVersion} + item.key` })
      .whereRef("nsDomains.id", "=", "item.value")
  );
  const follow = db.query((q, p: { ids: readonly bigint[] }) =>
    q.insertInto("nsDomainFollowings").columns(["nsDomainId", "changes"])
      .expression((e) =>
        e.selectFrom("nsDomains").select(["id", sql<bigint>`1`.as("changes")]).where("id", "in", anyOf(p.ids))
      )
      .onConflict((conflict) => conflict.column("nsDomainId").doUpdateSet({ changes: sql`changes + 1` }))
  );

  return {
    /** Finds domains of a user that nodes answer for if the user is served. */
    ofUser: db.query((q, p: { userId: bigint; after: bigint; limit: number }) =>
      q.selectFrom("nsDomains").select("id").where(isLive).where("userId", "=", p.userId).where(isOwned)
        .where("id", ">", p.after).where(isOn).where(isVerified).orderBy("id").limit(p.limit)
    ),
    /** Gives domains new versions, so that nodes fetch them and their data again. */
    async publish(call: Call, ids: readonly bigint[]): Promise<void> {
      if (ids.length === 0) return;
      await setVersions.run(call, { ids });
      await follow.run(call, { ids });
      await feed.advance(call, ids.length);
    },
    /** Has the job publish the domains of a user. */
    publishLater: db.query((q, p: { userId: bigint }) =>
      q.insertInto("nsDomainOwnerChanges").values({ userId: p.userId, changes: 1n, onlyIfNotServed: 0n })
        .onConflict((conflict) =>
          conflict.column("userId").doUpdateSet({
            changes: sql`nsDomainOwnerChanges.changes + 1`,
            onlyIfNotServed: 0n,
          })
        )
    ),
    waitingOwners: db.query((q, p: { limit: number }) =>
      q.selectFrom("nsDomainOwnerChanges").selectAll().orderBy("userId").limit(p.limit)
    ),
    /** Ends the wait of an owner, unless the owner changed in the meantime. */
    endWaiting: db.query((q, p: { userId: bigint; changes: bigint }) =>
      q.deleteFrom("nsDomainOwnerChanges").where("userId", "=", p.userId).where("changes", "=", p.changes)
    ),
  };
}

export type PublishingStore = ReturnType<typeof publishingStore>;
