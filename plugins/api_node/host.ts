import { arch, cpus, freemem, hostname, loadavg, platform, totalmem } from "node:os";
import process from "node:process";
import type { Machine } from "./machine.ts";

/** The names that nodes and consoles use, where they differ from those of Node. */
const SYSTEMS: Readonly<Record<string, string>> = { win32: "windows" };
const PROCESSORS: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

interface Ticks {
  readonly busy: number;
  readonly total: number;
}

function ticks(): Ticks {
  let idle = 0;
  let total = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    total += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return { busy: total - idle, total };
}

/** Opens the machine, whose status comes from the operating system. */
export function open(): Machine {
  let previous: Ticks = { busy: 0, total: 0 };

  function cpuUsage(): number {
    const current = ticks();
    const elapsed = current.total - previous.total;
    const usage = elapsed > 0 ? (current.busy - previous.busy) / elapsed : 0;
    previous = current;
    return usage;
  }

  return {
    status() {
      const [load1m = 0, load5m = 0, load15m = 0] = loadavg();
      const memoryTotal = totalmem();
      return {
        os: SYSTEMS[platform()] ?? platform(),
        arch: PROCESSORS[arch()] ?? arch(),
        hostname: hostname(),
        cpuUsage: cpuUsage(),
        cpuLogicalCount: cpus().length,
        memoryUsage: memoryTotal > 0 ? 1 - freemem() / memoryTotal : 0,
        memoryTotal,
        load1m,
        load5m,
        load15m,
        exePath: process.execPath,
      };
    },
  };
}
