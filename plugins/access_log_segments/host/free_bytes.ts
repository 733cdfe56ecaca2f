import { statfs } from "node:fs/promises";
import { dirname } from "node:path";

/** Returns the free bytes of the disk of a folder, which need not exist yet. */
export async function freeBytes(folder: string): Promise<bigint> {
  try {
    const { bavail, bsize } = await statfs(folder, { bigint: true });
    return bavail * bsize;
  } catch (error) {
    const parent = dirname(folder);
    if ((error as { code?: string }).code !== "ENOENT" || parent === folder) throw error;
    return await freeBytes(parent);
  }
}
