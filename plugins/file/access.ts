import { type Call, mayAccessOwner } from "edgehelm";
import { nodeCaller } from "../node_base/contract.ts";
import type { FileContents, Files } from "./contract.ts";
import type { FileRow, FileStore } from "./store.ts";

/**
 * Returns the file if it exists and the caller may read it: admins read all, users read their own files and public
 * finished ones, and nodes public finished ones only.
 */
export async function readableFile(files: FileStore, call: Call, id: bigint): Promise<FileRow | undefined> {
  const row = await files.byId.first(call, { id });
  if (row === undefined) return undefined;
  const mayReadPrivate = nodeCaller(call) === undefined && mayAccessOwner(call.caller, row.userId);
  return mayReadPrivate || (row.isPublic === 1n && row.isFinished === 1n) ? row : undefined;
}

/** Soft deletes files and drops their content. Returns the number of files. */
export async function removeFiles(
  call: Call,
  files: FileStore,
  contents: readonly FileContents[],
  ids: readonly bigint[],
): Promise<number> {
  if (ids.length === 0) return 0;
  await files.removeAll.run(call, { ids });
  for (const content of contents) await content.drop(call, ids);
  return ids.length;
}

/** Implements the contract on top of the store. */
export function fileContract(files: FileStore, contents: readonly FileContents[]): Files {
  const summary = ({ id, userId, filename, size, isFinished }: FileRow) => ({
    ...{ id, userId, filename, size, isFinished: isFinished === 1n },
  });
  return {
    async findReadable(call, id) {
      const row = await readableFile(files, call, id);
      return row && summary(row);
    },
    requireOwned: async (call, id) => summary(await files.require(call, "fileId", id)),
    async read(call, id, offset, bytes) {
      for (const content of contents) {
        const found = await content.read(call, id, offset, bytes);
        if (found.length > 0) return found;
      }
      return new Uint8Array();
    },
    async remove(call, id) {
      await removeFiles(call, files, contents, [id]);
    },
  };
}
