import { type Call, inBatches } from "edgehelm";
import type { FileContents } from "../file/contract.ts";
import type { FileChunkStore } from "./store.ts";

/** Few, since each may have a megabyte. */
const REMOVED_AT_ONCE = 32;

/** The content of files, as the plugin `file` asks for it. */
export function fileContents(chunks: FileChunkStore): FileContents {
  return {
    receivedBytes: async (call, fileId) => (await chunks.bytesOf.first(call, { fileId }))?.bytes ?? 0n,
    drop: async (call, fileIds) => void await chunks.beginRemoval.run(call, { fileIds }),
  };
}

/** Removes the chunks of deleted files, a few at a time. */
export async function removeDropped(call: Call, chunks: FileChunkStore): Promise<void> {
  for (;;) {
    const next = await chunks.nextRemoval.first(call, {});
    if (next === undefined) return;
    await inBatches(call, REMOVED_AT_ONCE, (inner, limit) => chunks.removeSome.run(inner, { ...next, limit }));
    await call.transact(async (inner) => {
      await chunks.removeTotal.run(inner, next);
      await chunks.endRemoval.run(inner, next);
    });
  }
}
