import { type Call, mayAccessOwner } from "edgehelm";
import type { FileContents, Files } from "./contract.ts";
import type { FileRow, FileStore } from "./store.ts";

/** The file, unless it is missing or not for the caller. A user reads their own, and what is public and finished. */
export async function readableFile(files: FileStore, call: Call, id: bigint): Promise<FileRow | undefined> {
  const row = await files.byId.first(call, { id });
  if (row === undefined) return undefined;
  return mayAccessOwner(call.caller, row.userId) || (row.isPublic === 1n && row.isFinished === 1n) ? row : undefined;
}

/** Deletes files; those who keep their content let go of it. */
export async function removeFiles(
  call: Call,
  files: FileStore,
  contents: readonly FileContents[],
  ids: readonly bigint[],
): Promise<number> {
  if (ids.length === 0) return 0;
  await files.remove.run(call, { ids });
  for (const keeper of contents) await keeper.drop(call, ids);
  return ids.length;
}

/** What other plugins may ask of files. */
export function fileContract(files: FileStore): Files {
  const summary = ({ id, size, isFinished }: FileRow) => ({ id, size, isFinished: isFinished === 1n });
  return {
    async findReadable(call, id) {
      const row = await readableFile(files, call, id);
      return row && summary(row);
    },
    requireOwned: async (call, id) => summary(await files.require(call, "fileId", id)),
  };
}
