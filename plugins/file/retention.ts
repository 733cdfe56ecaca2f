import { type Call, type Clock, inBatches, unixSeconds } from "edgehelm";
import { removeFiles } from "./access.ts";
import type { FileContents } from "./contract.ts";
import type { FileStore } from "./store.ts";

const KEPT_SECONDS = 86_400n;
const REMOVED_AT_ONCE = 500;

/** Deletes files that were begun a day ago and never finished. */
export function removeAbandoned(files: FileStore, contents: readonly FileContents[], clock: Clock) {
  return async (call: Call): Promise<void> => {
    const before = unixSeconds(clock) - KEPT_SECONDS;
    await inBatches(call, REMOVED_AT_ONCE, async (inner, limit) => {
      const rows = await files.someAbandoned.all(inner, { before, limit });
      return await removeFiles(inner, files, contents, rows.map(({ id }) => id));
    });
  };
}
