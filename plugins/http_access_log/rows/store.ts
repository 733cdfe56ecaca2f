import { anyOf, type Call, type Db } from "edgehelm";
import { jsonRows } from "edgehelm/storage";
import { sql, type SqlBool } from "kysely";
import { columnsOf } from "../contract/log_columns.ts";
import type { LogEntry, LogStore } from "../contract/log_store.ts";
import { dayOf } from "../contract/request_time.ts";
import { boundsOfDay } from "../request_id.ts";
import { RowLists } from "./store_lists.ts";
import type { HTTPAccessLogRow, Tables } from "./store_tables.ts";

/** Small enough not to block other writers for long. */
const DELETE_BATCH = 1000;

const NO_BYTES = new Uint8Array();
const NO_LOG: LogEntry = { requestId: "", userId: 0n, nodeClusterId: 0n, log: NO_BYTES, requestBody: NO_BYTES };
/** The columns of a row, in any order. */
const COLUMNS = Object.keys(rowOf(NO_LOG, 0n)) as (keyof HTTPAccessLogRow)[];

/** Stores logs as rows of the installation's database. */
export function rowLogStore(db: Db<Tables>, partitionRows: bigint): LogStore {
  const lists = new RowLists(db);
  // one statement per chunk; it returns only the rows that are new
  const insert = db.query((q, p: { rows: string }) =>
    q.insertInto("httpAccessLogs").columns(COLUMNS).expression((e) =>
      e.selectFrom(sql<{ value: string }>`json_each(${p.rows})`.as("item"))
        .select(COLUMNS.map((column) => sql<never>`item.value ->> ${sql.lit(column)}`.as(column)))
        // an upsert after a select needs a where, or SQLite parses its "on" as part of a join
        .where(sql<SqlBool>`true`)
    ).onConflict((conflict) => conflict.column("requestId").doNothing()).returning(["id", "requestId"])
  );
  const insertDetails = db.query((q, p: Tables["httpAccessLogDetails"]) =>
    q.insertInto("httpAccessLogDetails").values({ id: p.id, log: p.log, requestBody: p.requestBody })
  );
  const latestPartition = db.query((q, p: { day: bigint }) =>
    q.selectFrom("httpAccessLogPartitions").select(["partition", "n"]).where("day", "=", p.day)
      .orderBy("partition", "desc").limit(1)
  );
  const addToPartition = db.query((q, p: Tables["httpAccessLogPartitions"]) =>
    q.insertInto("httpAccessLogPartitions")
      .values({ day: p.day, partition: p.partition, n: p.n, firstId: p.firstId, lastId: p.lastId })
      .onConflict((conflict) =>
        conflict.columns(["day", "partition"]).doUpdateSet({
          n: sql<bigint>`httpAccessLogPartitions.n + excluded.n`,
          firstId: sql<string>`min(httpAccessLogPartitions.firstId, excluded.firstId)`,
          lastId: sql<string>`max(httpAccessLogPartitions.lastId, excluded.lastId)`,
        })
      )
  );
  const partitionsOfDay = db.query((q, p: { day: bigint }) =>
    q.selectFrom("httpAccessLogPartitions").select(["partition"]).where("day", "=", p.day).orderBy("partition")
  );
  const allDays = db.query((q, _none: object) =>
    q.selectFrom("httpAccessLogPartitions").select(["day", (e) => e.fn.sum<bigint>("n").as("rows")])
      .groupBy("day").orderBy("day")
  );
  const byRequest = db.query((q, p: { requestId: string }) =>
    q.selectFrom("httpAccessLogs").innerJoin("httpAccessLogDetails as d", "d.id", "httpAccessLogs.id")
      .select(["userId", "nodeClusterId", "d.log", "d.requestBody"]).where("requestId", "=", p.requestId)
  );
  const between = db.query((q, p: { from: string; to: string; limit: number }) =>
    q.selectFrom("httpAccessLogs").select("id").where("requestId", ">=", p.from).where("requestId", "<=", p.to)
      .orderBy("requestId").limit(p.limit)
  );
  const ofUser = db.query((q, p: { userId: bigint; limit: number }) =>
    q.selectFrom("httpAccessLogs").select("id").where("userId", "=", p.userId).where("userId", "<>", sql.lit(0n))
      .limit(p.limit)
  );
  const remove = db.query((q, p: { ids: bigint[] }) => q.deleteFrom("httpAccessLogs").where("id", "in", anyOf(p.ids)));
  const removeDetails = db.query((q, p: { ids: bigint[] }) =>
    q.deleteFrom("httpAccessLogDetails").where("id", "in", anyOf(p.ids))
  );
  const removeDay = db.query((q, p: { day: bigint }) =>
    q.deleteFrom("httpAccessLogPartitions").where("day", "=", p.day)
  );

  async function appendToDay(call: Call, day: bigint, entries: readonly LogEntry[]): Promise<void> {
    const last = await latestPartition.first(call, { day });
    const partition = last === undefined ? 0n : last.partition + (last.n >= partitionRows ? 1n : 0n);
    const newIds = new Map<string, bigint>();
    for (const rows of jsonRows(entries.map((entry) => rowOf(entry, partition)))) {
      for (const { id, requestId } of await insert.all(call, { rows })) newIds.set(requestId, id);
    }
    const added = [...newIds.keys()];
    for (const { requestId, log, requestBody } of entries) {
      const id = newIds.get(requestId);
      if (id === undefined || !newIds.delete(requestId)) continue;
      await insertDetails.defer(call, { id, log, requestBody: requestBody.length === 0 ? null : requestBody });
    }
    if (added.length === 0) return;
    added.sort();
    await addToPartition.run(call, {
      day,
      partition,
      n: BigInt(added.length),
      firstId: added[0]!,
      lastId: added.at(-1)!,
    });
  }

  async function removeAll(call: Call, rows: readonly { id: bigint }[]): Promise<number> {
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) {
      await remove.run(call, { ids });
      await removeDetails.run(call, { ids });
    }
    return ids.length;
  }

  return {
    append: (call, entries) =>
      call.transact(async (inner) => {
        for (const [day, entriesOfDay] of Map.groupBy(entries, ({ requestId }) => dayOf(requestId))) {
          await appendToDay(inner, day, entriesOfDay);
        }
      }),
    async find(call, requestId) {
      const row = await byRequest.first(call, { requestId });
      return row && { ...row, requestId, requestBody: row.requestBody ?? NO_BYTES };
    },
    list: (call, filter, page) => lists.list(call, filter, page),
    partitions: async (call, day) => (await partitionsOfDay.all(call, { day })).map(({ partition }) => partition),
    days: async (call) => (await allDays.all(call, {})).map(({ day, rows }) => ({ day, rows, bytes: 0n })),
    dropDay: (call, day) =>
      call.transact(async (inner) => {
        const limit = DELETE_BATCH;
        if (await removeAll(inner, await between.all(inner, { ...boundsOfDay(day), limit })) >= limit) return false;
        await removeDay.run(inner, { day });
        return true;
      }),
    removeOfUser: (call, userId, limit) =>
      call.transact(async (inner) => await removeAll(inner, await ofUser.all(inner, { userId, limit }))),
  };
}

function rowOf(entry: LogEntry, partition: bigint): HTTPAccessLogRow {
  const columns = columnsOf(entry);
  return { ...columns, partition, status: BigInt(columns.status), tags: JSON.stringify(columns.tags) };
}
