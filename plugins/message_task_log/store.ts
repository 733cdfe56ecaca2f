import { type Db, type Flag, type Page, rowCount } from "edgehelm";
import type { Generated, Selectable } from "kysely";

export interface Tables {
  messageTaskLogs: {
    id: Generated<bigint>;
    messageTaskId: bigint;
    isOk: Flag;
    error: string;
    response: string;
    createdAt: bigint;
  };
}

export type MessageTaskLogRow = Selectable<Tables["messageTaskLogs"]>;

/** Defines all SQL statements of this plugin. */
export function messageTaskLogStore(db: Db<Tables>) {
  return {
    insert: db.insert("messageTaskLogs", ["messageTaskId", "isOk", "error", "response", "createdAt"]),
    count: db.query((q) => q.selectFrom("messageTaskLogs").select(rowCount)),
    newest: db.query((q, p: Page) =>
      q.selectFrom("messageTaskLogs").selectAll().orderBy("id", "desc").limit(p.size).offset(p.offset)
    ),
    purge: db.query((q, p: { before: bigint; limit: number }) =>
      q.deleteFrom("messageTaskLogs").where(
        "id",
        "in",
        (batch) =>
          batch.selectFrom("messageTaskLogs").select("id").where("createdAt", "<", p.before).orderBy("createdAt")
            .limit(p.limit),
      )
    ),
  };
}

export type MessageTaskLogStore = ReturnType<typeof messageTaskLogStore>;
