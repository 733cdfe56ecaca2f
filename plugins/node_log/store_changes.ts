import { anyOf, type Call, type Db } from "edgehelm";
import { jsonRows, type TrigramIndex } from "edgehelm/storage";
import { sql, type SqlBool } from "kysely";
import type { NodeLogCounts } from "./store_counts.ts";
import { fixedThrough, readThrough, type Tables } from "./store.ts";

/** The columns of a new log. */
export interface NewLog {
  readonly role: string;
  readonly nodeId: bigint;
  readonly serverId: bigint;
  readonly originId: bigint;
  readonly level: string;
  readonly tag: string;
  readonly type: string;
  readonly description: string;
  readonly paramsJSON: string;
  readonly hash: string;
  readonly createdAt: bigint;
}

/** A new log with its number of occurrences. */
interface CountedLog extends NewLog {
  readonly count: number;
  readonly isRead: number;
}

const COLUMNS = [
  "role",
  "nodeId",
  "serverId",
  "originId",
  "level",
  "tag",
  "type",
  "description",
  "paramsJSON",
  "hash",
  "createdAt",
  "count",
  "isRead",
] as const;

/** Returns the statements that change logs together with their counts. */
export function nodeLogChanges(db: Db<Tables>, counts: NodeLogCounts, search: TrigramIndex) {
  const insert = db.query((q, p: { rows: string }) =>
    q.insertInto("nodeLogs").columns(COLUMNS).expression((e) =>
      e.selectFrom(sql<{ key: bigint; value: string }>`json_each(${p.rows})`.as("item"))
        .select(COLUMNS.map((column) => sql<never>`item.value ->> ${sql.lit(column)}`.as(column))).orderBy("item.key")
    )
  );
  const fixedBy = db.query((q, p: { after: bigint; count: number }) =>
    q.selectFrom("nodeLogs as success").innerJoin(
      "nodeLogs as error",
      (join) =>
        join.onRef("error.role", "=", "success.role").onRef("error.nodeId", "=", "success.nodeId")
          .onRef("error.type", "=", "success.type").onRef("error.serverId", "=", "success.serverId")
          .onRef("error.paramsJSON", "=", "success.paramsJSON").onRef("error.id", "<", "success.id")
          .on(sql<SqlBool>`error.isFixed = 0 and error.level = 'error' and error.type != ''`),
    )
      .select("error.id").distinct()
      .where("success.id", "in", (added) =>
        added.selectFrom("nodeLogs").select("id").where("id", ">", p.after).orderBy("id").limit(p.count))
      .where(sql<SqlBool>`success.level = 'success'`)
  );
  const setFixed = db.query((q, p: { ids: bigint[] }) =>
    q.updateTable("nodeLogs").set({ isFixed: 1n, isRead: 1n }).where("id", "in", anyOf(p.ids))
  );
  const setRead = db.query((q, p: { ids: bigint[] }) =>
    q.updateTable("nodeLogs").set({ isRead: 1n }).where("id", "in", anyOf(p.ids)).where("isRead", "=", 0n)
  );
  const deleteRows = db.query((q, p: { ids: bigint[] }) => q.deleteFrom("nodeLogs").where("id", "in", anyOf(p.ids)));

  async function markFixed(call: Call, ids: bigint[]): Promise<void> {
    if (ids.length === 0) return;
    await counts.read.run(call, { ids });
    await setFixed.run(call, { ids });
  }

  return {
    /** Inserts logs in order. `after` is the highest id before the insertion. */
    async add(call: Call, logs: readonly CountedLog[], after: bigint): Promise<void> {
      for (const rows of jsonRows(logs)) await insert.run(call, { rows });
      await counts.added.run(call, { after, count: logs.length });
    },
    /** Marks earlier errors of the same node, site, type and parameters as fixed, for the successes after `after`. */
    async fixErrors(call: Call, after: bigint, count: number): Promise<void> {
      await markFixed(call, (await fixedBy.all(call, { after, count })).map(({ id }) => id));
    },
    markFixed,
    async markRead(call: Call, ids: bigint[]): Promise<void> {
      if (ids.length === 0) return;
      await counts.read.run(call, { ids });
      await setRead.run(call, { ids });
    },
    async delete(call: Call, ids: bigint[]): Promise<void> {
      if (ids.length === 0) return;
      await counts.deleted.run(call, { ids });
      await search.remove.run(call, { ids });
      await deleteRows.run(call, { ids });
    },
    /** Adds to the numbers of occurrences; `repeats` is a JSON array of pairs of an id and the number to add. */
    addRepeats: db.query((q, p: { repeats: string }) =>
      q.updateTable("nodeLogs").from(sql<{ value: string }>`json_each(${p.repeats})`.as("item"))
        .set({ count: sql`count + (item.value ->> 1)` }).where(sql<SqlBool>`nodeLogs.id = item.value ->> 0`)
    ),
    markAllFixed: db.query((q, p: { newestId: bigint }) =>
      q.updateTable("nodeLogMarks").set({ fixedThrough: sql`max(${fixedThrough}, ${p.newestId})` })
    ),
    markAllRead: db.query((q, p: { newestId: bigint }) =>
      q.updateTable("nodeLogMarks").set({ readThrough: sql`max(${readThrough}, ${p.newestId})` })
    ),
    beginDeletion: db.query((q, p: { role: string; nodeId: bigint }) =>
      q.insertInto("nodeLogRemovals").values({ role: p.role, nodeId: p.nodeId })
        .onConflict((conflict) => conflict.doNothing())
    ),
    endDeletion: db.query((q, p: { role: string; nodeId: bigint }) =>
      q.deleteFrom("nodeLogRemovals").where("role", "=", p.role).where("nodeId", "=", p.nodeId)
    ),
  };
}

export type NodeLogChanges = ReturnType<typeof nodeLogChanges>;
