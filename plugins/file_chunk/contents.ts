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
    async read(call, fileId, offset, bytes) {
      const end = offset + BigInt(bytes);
      const parts: Uint8Array<ArrayBuffer>[] = [];
      let at = 0n;
      for (const { id, length } of await chunks.sizesOf.all(call, { fileId })) {
        const next = at + length;
        if (next > offset && at < end) {
          const { data } = await chunks.dataOf.one(call, { id });
          parts.push(new Uint8Array(data.subarray(Math.max(0, Number(offset - at)), Number(min(length, end - at)))));
        }
        at = next;
        if (at >= end) break;
      }
      return await new Blob(parts).bytes();
    },
    drop: async (call, fileIds) => void await chunks.beginRemoval.run(call, { fileIds }),
  };
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
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
