import { statfs } from "node:fs/promises";
import { hostname } from "node:os";
import { type AlarmSource, alarmSource } from "../../events/alarm.ts";
import { diskSpace } from "../../kernel/alarms/kernel_alarms.ts";

const MAX_BYTES = 10 * 1024 ** 3;
const SHARE = 0.1;
/** The factor of the limit at which the alarm ends, so that it does not begin and end all the time. */
const END_FACTOR = 1.2;

/** The space of a disk in bytes. */
export interface Space {
  readonly free: number;
  readonly total: number;
}

/** Looks for little space on the disk of a directory. */
export function diskSource(directory: string, read: (directory: string) => Promise<Space> = spaceOf): AlarmSource {
  return alarmSource(diskSpace, async (_call, begun) => {
    const { free, total } = await read(directory);
    const limit = Math.min(total * SHARE, MAX_BYTES) * (begun.has(directory) ? END_FACTOR : 1);
    if (free >= limit) return [];
    const data = {
      machine: hostname(),
      directory,
      freeBytes: BigInt(Math.floor(free)),
      totalBytes: BigInt(Math.floor(total)),
    };
    return [{ subject: directory, data }];
  });
}

async function spaceOf(directory: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { free: bavail * bsize, total: blocks * bsize };
}
