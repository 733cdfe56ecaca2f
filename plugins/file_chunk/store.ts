import type { Db } from "edgehelm";
import { type Generated, sql } from "kysely";

export interface Tables {
  fileChunks: { id: Generated<bigint>; fileId: bigint; data: Uint8Array };
  fileChunkTotals: { fileId: bigint; bytes: bigint };
  fileChunkRemovals: { fileId: bigint };
}

/** Defines all SQL statements of this plugin. */
export function fileChunkStore(db: Db<Tables>) {
  return {
    /** Adds to the total size of a file, and returns the new total. */
    addBytes: db.query((q, p: { fileId: bigint; bytes: bigint }) =>
      q.insertInto("fileChunkTotals").values({ fileId: p.fileId, bytes: p.bytes })
        .onConflict((conflict) =>
          conflict.column("fileId").doUpdateSet({ bytes: sql<bigint>`fileChunkTotals.bytes + excluded.bytes` })
        ).returning("bytes")
    ),
    insert: db.insert("fileChunks", ["fileId", "data"]),
    bytesOf: db.query((q, p: { fileId: bigint }) =>
      q.selectFrom("fileChunkTotals").select("bytes").where("fileId", "=", p.fileId)
    ),
    idsOf: db.query((q, p: { fileId: bigint }) =>
      q.selectFrom("fileChunks").select("id").where("fileId", "=", p.fileId).orderBy("id")
    ),
    // length reads only the head of a value
    sizesOf: db.query((q, p: { fileId: bigint }) =>
      q.selectFrom("fileChunks").select(["id", sql<bigint>`length(data)`.as("length")]).where("fileId", "=", p.fileId)
        .orderBy("id")
    ),
    fileOf: db.query((q, p: { id: bigint }) => q.selectFrom("fileChunks").select("fileId").where("id", "=", p.id)),
    dataOf: db.query((q, p: { id: bigint }) => q.selectFrom("fileChunks").select("data").where("id", "=", p.id)),
    beginRemoval: db.query((q, p: { fileIds: readonly bigint[] }) =>
      q.insertInto("fileChunkRemovals").columns(["fileId"]).expression((e) =>
        e.selectFrom(sql<{ value: bigint }>`json_each(${p.fileIds})`.as("item")).select("item.value as fileId")
      )
    ),
    nextRemoval: db.query((q) => q.selectFrom("fileChunkRemovals").select("fileId").limit(1)),
    removeSome: db.query((q, p: { fileId: bigint; limit: number }) =>
      q.deleteFrom("fileChunks").where(
        "id",
        "in",
        (batch) => batch.selectFrom("fileChunks").select("id").where("fileId", "=", p.fileId).limit(p.limit),
      )
    ),
    removeTotal: db.query((q, p: { fileId: bigint }) => q.deleteFrom("fileChunkTotals").where("fileId", "=", p.fileId)),
    endRemoval: db.query((q, p: { fileId: bigint }) =>
      q.deleteFrom("fileChunkRemovals").where("fileId", "=", p.fileId)
    ),
  };
}

export type FileChunkStore = ReturnType<typeof fileChunkStore>;
