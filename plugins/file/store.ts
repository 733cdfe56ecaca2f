import { type Db, type DefaultFlag, type Flag, ownedRows, rowCount } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { type Kysely, type Selectable, sql, type SqlBool } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  files: LiveTable<{
    userId: bigint;
    filename: string;
    size: bigint;
    isPublic: Flag;
    mimeType: string;
    type: string;
    isFinished: DefaultFlag;
    createdAt: bigint;
  }>;
}

export type FileRow = Selectable<Tables["files"]>;

/** Defines all SQL statements of this plugin. Files of user 0 belong to the installation. */
export function fileStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("files").where(sql<SqlBool>`state = 1`);
  return {
    ...ownedRows(db, "files", errors.not_found),
    insert: db.insert("files", ["userId", "filename", "size", "isPublic", "mimeType", "type", "createdAt"]),
    totalOfUser: db.query((q, p: { userId: bigint }) =>
      live(q).select([rowCount, sql<bigint>`coalesce(sum(size), 0)`.as("bytes")]).where("userId", "=", p.userId)
    ),
    finish: db.update("files", [], { isFinished: 1n }),
    someAbandoned: db.query((q, p: { before: bigint; limit: number }) =>
      live(q).select("id").where(sql<SqlBool>`isFinished = 0`).where("createdAt", "<", p.before).limit(p.limit)
    ),
  };
}

export type FileStore = ReturnType<typeof fileStore>;
