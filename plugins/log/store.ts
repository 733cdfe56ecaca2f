import { anyOf, type Db } from "edgehelm";
import { declareList } from "edgehelm/storage";
import type { Generated, GeneratedAlways, Selectable } from "kysely";

export interface Tables {
  logs: {
    id: Generated<bigint>;
    level: string;
    action: string;
    description: string;
    ip: string;
    /** 0 if a user did it. */
    adminId: bigint;
    /** 0 if an admin did it. */
    userId: bigint;
    createdAt: bigint;
    userType: GeneratedAlways<"admin" | "user">;
  };
  /** One row, maintained by triggers. */
  logTotals: { id: bigint; count: bigint; bytes: bigint };
}

export type LogRow = Selectable<Tables["logs"]>;

export const logList = declareList({
  table: "logs",
  choices: ["level", "userType"],
  days: "createdAt",
  search: ["action", "description", "ip"],
});
export type LogList = ReturnType<typeof logList.open<Tables>>;

/** Defines the SQL statements of this plugin, except those of the list. */
export function logStore(db: Db<Tables>) {
  return {
    insert: db.insert("logs", ["level", "action", "description", "ip", "adminId", "userId", "createdAt"]),
    totals: db.query((q) => q.selectFrom("logTotals").select(["count", "bytes"])),
    byId: db.query((q, p: { id: bigint }) => q.selectFrom("logs").selectAll().where("id", "=", p.id)),
    newestId: db.query((q) => q.selectFrom("logs").select("id").orderBy("id", "desc").limit(1)),
    remove: db.query((q, p: { ids: readonly bigint[] }) => q.deleteFrom("logs").where("id", "in", anyOf(p.ids))),
    removeSomeBefore: db.query((q, p: { before: bigint; limit: number }) =>
      q.deleteFrom("logs").where(
        "id",
        "in",
        (some) => some.selectFrom("logs").select("id").where("createdAt", "<", p.before).limit(p.limit),
      )
    ),
    removeSomeThrough: db.query((q, p: { through: bigint; limit: number }) =>
      q.deleteFrom("logs").where(
        "id",
        "in",
        (some) => some.selectFrom("logs").select("id").where("id", "<=", p.through).orderBy("id").limit(p.limit),
      )
    ),
  };
}

export type LogStore = ReturnType<typeof logStore>;
