import { anyOf, type Db, type DefaultFlag, type Flag, ownedRows } from "edgehelm";
import { type Generated, type Kysely, type Selectable, sql, type SqlBool } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  files: {
    id: Generated<bigint>;
    userId: bigint;
    filename: string;
    size: bigint;
    isPublic: Flag;
    mimeType: string;
    type: string;
    isFinished: DefaultFlag;
    createdAt: bigint;
    state: Generated<bigint>;
  };
}

export type FileRow = Selectable<Tables["files"]>;
export type NewFile = Omit<FileRow, "id" | "isFinished" | "state" | "isPublic"> & { isPublic: boolean };

/** Defines all SQL statements of this plugin. Files of user 0 belong to the installation. */
export function fileStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("files").where(sql<SqlBool>`state = 1`);
  return {
    ...ownedRows(db, "files", errors.not_found),
    insert: db.query((q, p: NewFile) =>
      q.insertInto("files").values({
        userId: p.userId,
        filename: p.filename,
        size: p.size,
        isPublic: p.isPublic,
        mimeType: p.mimeType,
        type: p.type,
        createdAt: p.createdAt,
      }).returning("id")
    ),
    finish: db.query((q, p: { id: bigint }) => q.updateTable("files").set({ isFinished: 1n }).where("id", "=", p.id)),
    someOfUser: db.query((q, p: { userId: bigint; limit: number }) =>
      live(q).select("id").where("userId", "=", p.userId).limit(p.limit)
    ),
    someAbandoned: db.query((q, p: { before: bigint; limit: number }) =>
      live(q).select("id").where(sql<SqlBool>`isFinished = 0`).where("createdAt", "<", p.before).limit(p.limit)
    ),
    remove: db.query((q, p: { ids: readonly bigint[] }) =>
      q.updateTable("files").set({ state: 0n }).where("id", "in", anyOf(p.ids))
    ),
  };
}

export type FileStore = ReturnType<typeof fileStore>;
