import { anyOf, type Db } from "edgehelm";
import { sql } from "kysely";
import type { Tables } from "./store_tables.ts";

const KEPT_LOGS = 100;
const KNOWN_ORDERS = 50;

/** Defines the SQL statements on orders and results. */
export function orderStore(db: Db<Tables>) {
  return {
    open: db.query((q, p: { acmeTaskId: bigint }) =>
      q.selectFrom("acmeOrders").selectAll().where("acmeTaskId", "=", p.acmeTaskId).where("isOpen", "=", sql.lit(1n))
    ),
    openOf: db.query((q, p: { acmeTaskIds: readonly bigint[] }) =>
      q.selectFrom("acmeOrders").select(["acmeTaskId", "step"]).where("acmeTaskId", "in", anyOf(p.acmeTaskIds))
        .where("isOpen", "=", sql.lit(1n))
    ),
    /** Selects the URLs of the last orders of a task. */
    knownUrls: db.query((q, p: { acmeTaskId: bigint }) =>
      q.selectFrom("acmeOrders").select("url").where("acmeTaskId", "=", p.acmeTaskId).orderBy("id", "desc")
        .limit(sql.lit(KNOWN_ORDERS))
    ),
    countSince: db.query((q, p: { registrationId: bigint; since: bigint }) =>
      q.selectFrom("acmeOrders").select((e) => e.fn.countAll<bigint>().as("count"))
        .where("registrationId", "=", p.registrationId).where("createdAt", ">", p.since)
    ),
    insert: db.insert("acmeOrders", ["acmeTaskId", "registrationId", "uniqueId", "sealedKey", "createdAt"]),
    requested: db.update("acmeOrders", ["requestedAt"]),
    placed: db.update("acmeOrders", ["url"], { step: "proving" }),
    proved: db.update("acmeOrders", ["proofs"], { step: "checking" }),
    answered: db.update("acmeOrders", ["answeredAt"]),
    checked: db.update("acmeOrders", ["checks", "step"]),
    end: db.update("acmeOrders", [], { isOpen: 0n, sealedKey: "" }),
    insertLog: db.insert("acmeTaskLogs", ["acmeTaskId", "isOk", "error", "createdAt"]),
    pruneLogs: db.query((q, p: { acmeTaskId: bigint }) =>
      q.deleteFrom("acmeTaskLogs").where("acmeTaskId", "=", p.acmeTaskId).where(
        "id",
        "<",
        (logs) =>
          logs.selectFrom("acmeTaskLogs").select("id").where("acmeTaskId", "=", p.acmeTaskId).orderBy("id", "desc")
            .limit(sql.lit(1)).offset(sql.lit(KEPT_LOGS - 1)),
      )
    ),
    logsOf: db.query((q, p: { acmeTaskId: bigint; offset: bigint; size: bigint }) =>
      q.selectFrom("acmeTaskLogs").selectAll().where("acmeTaskId", "=", p.acmeTaskId).orderBy("id", "desc")
        .limit(p.size).offset(p.offset)
    ),
    latestLogs: db.query((q, p: { acmeTaskIds: readonly bigint[] }) =>
      q.selectFrom("acmeTaskLogs").selectAll().where(
        "id",
        "in",
        (logs) =>
          logs.selectFrom("acmeTaskLogs").select((e) => e.fn.max<bigint>("id").as("id"))
            .where("acmeTaskId", "in", anyOf(p.acmeTaskIds)).groupBy("acmeTaskId"),
      )
    ),
  };
}

export type OrderStore = ReturnType<typeof orderStore>;
