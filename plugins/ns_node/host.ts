import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open as openFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { deployPackages } from "../node_base/contract.ts";
import type { NSNodeConfig } from "./proto/config_pb.ts";
import type { HostServices } from "./host_services.ts";

const PROGRAM = "edge-dns";
const DEFAULT_DIRECTORY = "deploy";
const MAX_SUMS = 64;

/** Returns the host services: deploy packages from a directory, without SSH. */
export function open({ deployDirectory }: NSNodeConfig): HostServices {
  const directory = deployDirectory || DEFAULT_DIRECTORY;
  /** A cache of sums by name, size and modification time of the file, because they are expensive to compute. */
  const sums = new Map<string, Promise<string>>();

  async function sumOf(path: string): Promise<string> {
    const { size, mtimeMs } = await stat(path);
    const key = `${path} ${size} ${mtimeMs}`;
    let sum = sums.get(key);
    if (sum === undefined) {
      if (sums.size >= MAX_SUMS) sums.clear();
      sums.set(key, sum = md5(path));
      sum.catch(() => sums.delete(key));
    }
    return await sum;
  }

  return {
    async packages() {
      try {
        return deployPackages(PROGRAM, await readdir(directory));
      } catch (error) {
        if ((error as { code?: string }).code === "ENOENT") return [];
        throw error;
      }
    },
    async chunk(_call, filename, offset, size) {
      const path = join(directory, filename);
      const file = await openFile(path);
      try {
        const buffer = new Uint8Array(size);
        const { bytesRead } = await file.read(buffer, 0, size, Number(offset));
        return { data: buffer.subarray(0, bytesRead), sum: await sumOf(path) };
      } finally {
        await file.close();
      }
    },
  };
}

async function md5(path: string): Promise<string> {
  const hash = createHash("md5");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}
