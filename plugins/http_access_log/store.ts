import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { anyOf, type Call, type Db } from "edgehelm";
import { type Generated, sql, type SqlBool } from "kysely";
import { ipKey } from "./ip.ts";
import type { LogEntry, LogStore } from "./log_store.ts";
import { dayOf } from "./request_id.ts";
import { HTTPAccessLogSchema } from "./service_http_access_log_pb.ts";
import { type HTTPAccessLogRow, listLogs } from "./store_lists.ts";

export interface Tables {
  httpAccessLogs: HTTPAccessLogRow & { id: Generated<bigint> };
  httpAccessLogDetails: { id: bigint; log: Uint8Array; requestBody: Uint8Array | null };
  httpAccessLogPartitions: { day: bigint; partition: bigint; n: bigint; firstId: string; lastId: string };
}

/** Longer texts are shown whole and searched up to here. */
const MAX_SEARCHED = 2000;

const COLUMNS = [
  "requestId",
  "partition",
  "serverId",
  "userId",
  "nodeId",
  "nodeClusterId",
  "status",
  "firewallPolicyId",
  "firewallRuleGroupId",
  "firewallRuleSetId",
  "ipKey",
  "remoteAddr",
  "host",
  "scheme",
  "proto",
  "requestMethod",
  "requestURI",
  "requestPath",
  "referer",
  "userAgent",
  "tags",
] as const satisfies readonly (keyof HTTPAccessLogRow)[];

/** Logs as rows of the database. All SQL of this plugin is here and in store_lists.ts. */
export function rowLogStore(db: Db<Tables>, partitionRows: bigint): LogStore {
  // all at once, and only what is new comes back
  const insert = db.query((q, p: { rows: string }) =>
    q.insertInto("httpAccessLogs").columns(COLUMNS).expression((e) =>
      e.selectFrom(sql<{ value: string }>`json_each(${p.rows})`.as("item"))
        .select(COLUMNS.map((column) => sql<never>`item.value ->> ${sql.lit(column)}`.as(column)))
        // an upsert after a select needs a where, or its "on" reads as a join's
        .where(sql<SqlBool>`true`)
    ).onConflict((conflict) => conflict.column("requestId").doNothing()).returning(["id", "requestId"])
  );
  const insertDetails = db.query((q, p: Tables["httpAccessLogDetails"]) =>
    q.insertInto("httpAccessLogDetails").values({ id: p.id, log: p.log, requestBody: p.requestBody })
  );
  const latest = db.query((q, p: { day: bigint }) =>
    q.selectFrom("httpAccessLogPartitions").select(["partition", "n"]).where("day", "=", p.day)
      .orderBy("partition", "desc").limit(1)
  );
  const grow = db.query((q, p: Tables["httpAccessLogPartitions"]) =>
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
  const ofDay = db.query((q, p: { day: bigint }) =>
    q.selectFrom("httpAccessLogPartitions").select(["partition", "firstId", "lastId"]).where("day", "=", p.day)
      .orderBy("partition")
  );
  const byRequest = db.query((q, p: { requestId: string }) =>
    q.selectFrom("httpAccessLogs").innerJoin("httpAccessLogDetails as d", "d.id", "httpAccessLogs.id")
      .select(["userId", "nodeClusterId", "d.log", "d.requestBody"]).where("requestId", "=", p.requestId)
  );
  const older = db.query((q, p: { requestId: string; limit: number }) =>
    q.selectFrom("httpAccessLogs").select("id").where("requestId", "<", p.requestId).orderBy("requestId").limit(p.limit)
  );
  const ofUser = db.query((q, p: { userId: bigint; limit: number }) =>
    q.selectFrom("httpAccessLogs").select("id").where("userId", "=", p.userId).where("userId", "<>", sql.lit(0n))
      .limit(p.limit)
  );
  const remove = db.query((q, p: { ids: bigint[] }) => q.deleteFrom("httpAccessLogs").where("id", "in", anyOf(p.ids)));
  const removeDetails = db.query((q, p: { ids: bigint[] }) =>
    q.deleteFrom("httpAccessLogDetails").where("id", "in", anyOf(p.ids))
  );
  const removeDays = db.query((q, p: { day: bigint }) =>
    q.deleteFrom("httpAccessLogPartitions").where("day", "<", p.day)
  );

  async function appendToDay(call: Call, day: bigint, entries: readonly LogEntry[]): Promise<void> {
    const last = await latest.first(call, { day });
    const partition = last === undefined ? 0n : last.partition + (last.n >= partitionRows ? 1n : 0n);
    const rows = JSON.stringify(entries.map((entry) => rowOf(entry, partition)), asNumber);
    const newIds = new Map((await insert.all(call, { rows })).map(({ id, requestId }) => [requestId, id]));
    const added = [...newIds.keys()];
    for (const { log: { node: _node, ...log } } of entries) {
      const id = newIds.get(log.requestId);
      if (id === undefined || !newIds.delete(log.requestId)) continue;
      const requestBody = log.requestBody.length === 0 ? null : log.requestBody;
      const shown = toBinary(HTTPAccessLogSchema, { ...log, requestBody: new Uint8Array() });
      await insertDetails.defer(call, { id, log: shown, requestBody });
    }
    if (added.length === 0) return;
    added.sort();
    await grow.run(call, { day, partition, n: BigInt(added.length), firstId: added[0]!, lastId: added.at(-1)! });
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
    async append(call, entries) {
      for (const [day, some] of Map.groupBy(entries, ({ log }) => dayOf(log.requestId))) {
        await appendToDay(call, day, some);
      }
    },
    async find(call, requestId) {
      const row = await byRequest.first(call, { requestId });
      if (row === undefined) return undefined;
      const { userId, nodeClusterId, requestBody } = row;
      const log = { ...fromBinary(HTTPAccessLogSchema, row.log), requestBody: requestBody ?? new Uint8Array() };
      return { log, userId, nodeClusterId };
    },
    async list(call, filter, page) {
      const rows = await listLogs(db, call, filter, page);
      return rows.map(({ log, userId, nodeClusterId }) => ({
        log: fromBinary(HTTPAccessLogSchema, log),
        userId,
        nodeClusterId,
      }));
    },
    partitions: (call, day) => ofDay.all(call, { day }),
    async removeOlder(call, requestId, limit) {
      const removed = await removeAll(call, await older.all(call, { requestId, limit }));
      if (removed < limit) await removeDays.run(call, { day: dayOf(requestId) });
      return removed;
    },
    removeOfUser: async (call, userId, limit) => await removeAll(call, await ofUser.all(call, { userId, limit })),
  };
}

function rowOf({ log, userId, nodeClusterId }: LogEntry, partition: bigint): HTTPAccessLogRow {
  const { serverId, nodeId, firewallPolicyId, firewallRuleGroupId, firewallRuleSetId, requestId } = log;
  const { remoteAddr, scheme, proto, requestMethod, requestURI, requestPath, referer, userAgent, tags } = log;
  return {
    ...{ requestId, partition, serverId, userId, nodeId, nodeClusterId, status: BigInt(log.status) },
    ...{ firewallPolicyId, firewallRuleGroupId, firewallRuleSetId, remoteAddr, scheme, proto, requestMethod },
    ipKey: ipKey(remoteAddr) ?? "",
    host: log.host.toLowerCase().replace(/:\d+$/, ""),
    requestURI: requestURI.slice(0, MAX_SEARCHED),
    requestPath: requestPath.slice(0, MAX_SEARCHED),
    referer: referer.slice(0, MAX_SEARCHED),
    userAgent: userAgent.slice(0, MAX_SEARCHED),
    tags: JSON.stringify(tags),
  };
}

function asNumber(_name: string, value: unknown): unknown {
  // ids beyond what a JSON number of JavaScript holds are texts, which the column's affinity makes integers
  return typeof value === "bigint" ? (value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value)) : value;
}
