import { type Call, type Clock, unixSeconds } from "edgehelm";
import { inBatches } from "edgehelm/storage";
import { removeFiles } from "./access.ts";
import type { FileContents } from "./contract.ts";
import type { FileStore } from "./store.ts";

const MAX_UNFINISHED_SECONDS = 86_400n;
const BATCH_SIZE = 500;

/** Returns the job that deletes files which were not finished within a day. */
export function removeAbandoned(files: FileStore, contents: readonly FileContents[], clock: Clock) {
  return async (call: Call): Promise<void> => {
    const before = unixSeconds(clock) - MAX_UNFINISHED_SECONDS;
    await inBatches(call, BATCH_SIZE, async (inner, limit) => {
      const rows = await files.someAbandoned.all(inner, { before, limit });
      return await removeFiles(inner, files, contents, rows.map(({ id }) => id));
    });
  };
}
