import type { Call } from "edgehelm";
import { inBatches } from "edgehelm/storage";
import type { FileContents } from "../file/contract.ts";
import type { FileChunkStore } from "./store.ts";

/** Small, since each chunk may have 1 MiB. */
const BATCH_SIZE = 32;

/** Implements the extension point of the plugin `file`. */
export function fileContents(chunks: FileChunkStore): FileContents {
  return {
    receivedBytes: async (call, fileId) => (await chunks.bytesOf.first(call, { fileId }))?.bytes ?? 0n,
    drop: async (call, fileIds) => void await chunks.beginRemoval.run(call, { fileIds }),
  };
}

/** Deletes the chunks of deleted files, in small batches. */
export async function removeDropped(call: Call, chunks: FileChunkStore): Promise<void> {
  for (;;) {
    const removal = await chunks.nextRemoval.first(call, {});
    if (removal === undefined) return;
    await inBatches(call, BATCH_SIZE, (inner, limit) => chunks.removeSome.run(inner, { ...removal, limit }));
    await call.transact(async (inner) => {
      await chunks.removeTotal.run(inner, removal);
      await chunks.endRemoval.run(inner, removal);
    });
  }
}
