import { anyOf, type Db, isLive, ownedRows } from "edgehelm";
import { ownedCount } from "edgehelm/rows";
import { sql, type SqlBool } from "kysely";
import { errors } from "./errors.ts";
import type { Tables } from "./store_tables.ts";

const isDue = sql<SqlBool>`dueAt > 0`;

/** Defines the SQL statements on tasks. */
export function taskStore(db: Db<Tables>) {
  return {
    ...ownedRows(db, "acmeTasks", errors.not_found),
    countOfUser: ownedCount(db, "acmeTasks"),
    insert: db.insert("acmeTasks", [
      "userId",
      "acmeUserId",
      "dnsDomain",
      "domains",
      "autoRenew",
      "authType",
      "authURL",
      "createdAt",
      "dueAt",
    ]),
    update: db.updateLive("acmeTasks", ["acmeUserId", "dnsDomain", "domains", "autoRenew", "authURL", "dueAt"]),
    due: db.query((q, p: { now: bigint; limit: number }) =>
      q.selectFrom("acmeTasks").select("id").where(isLive).where(isDue).where("dueAt", "<=", p.now)
        .where("claimedUntil", "<=", p.now).orderBy("dueAt").limit(p.limit)
    ),
    setDue: db.updateLive("acmeTasks", ["dueAt"]),
    waited: db.updateLive("acmeTasks", ["dueAt"], { attempts: 0n }),
    delayed: db.updateLive("acmeTasks", ["dueAt", "attempts"]),
    failed: db.updateLive("acmeTasks", ["dueAt", "failures"], { attempts: 0n }),
    issued: db.updateLive("acmeTasks", ["sslCertId", "timeEndAt", "dueAt"], { failures: 0n, attempts: 0n }),
    claim: db.query((q, p: { id: bigint; claim: string; now: bigint; until: bigint }) =>
      q.updateTable("acmeTasks").set({ claim: p.claim, claimedUntil: p.until })
        .where("id", "=", p.id).where("claimedUntil", "<=", p.now).where(isLive)
    ),
    keepClaim: db.query((q, p: { id: bigint; claim: string; until: bigint }) =>
      q.updateTable("acmeTasks").set({ claimedUntil: p.until })
        .where("id", "=", p.id).where("claim", "=", p.claim).where(isLive)
    ),
    release: db.query((q, p: { id: bigint; claim: string }) =>
      q.updateTable("acmeTasks").set({ claim: "", claimedUntil: 0n }).where("id", "=", p.id).where(
        "claim",
        "=",
        p.claim,
      )
    ),
    usingACMEUser: db.query((q, p: { id: bigint; limit: number }) =>
      q.selectFrom("acmeTasks").select(["id", "domains"]).where("acmeUserId", "=", p.id).where(isLive).limit(p.limit)
    ),
    countOfACMEUser: db.query((q, p: { acmeUserId: bigint }) =>
      q.selectFrom("acmeTasks").select((e) => e.fn.countAll<bigint>().as("count"))
        .where("acmeUserId", "=", p.acmeUserId).where(isLive)
    ),
    expiring: db.query((q, p: { now: bigint; before: bigint; limit: number }) =>
      q.selectFrom("acmeTasks").selectAll().where(isLive).where("timeEndAt", ">", p.now)
        .where("timeEndAt", "<", p.before).where(sql<SqlBool>`warnedFor <> timeEndAt`).orderBy("id").limit(p.limit)
    ),
    warned: db.updateLive("acmeTasks", ["warnedFor"]),
    removeAll: db.query((q, p: { ids: readonly bigint[] }) =>
      q.updateTable("acmeTasks").set({ state: 0n, dueAt: 0n }).where("id", "in", anyOf(p.ids))
    ),
  };
}

export type TaskStore = ReturnType<typeof taskStore>;
