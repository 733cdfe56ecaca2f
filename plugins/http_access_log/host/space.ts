import { statfs } from "node:fs/promises";
import { dirname } from "node:path";

/** Returns the free and total bytes of the disk of a folder, which need not exist yet. */
export async function diskSpace(folder: string): Promise<{ freeBytes: bigint; totalBytes: bigint }> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder, { bigint: true });
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch (error) {
    const parent = dirname(folder);
    if ((error as { code?: string }).code !== "ENOENT" || parent === folder) throw error;
    return await diskSpace(parent);
  }
}
