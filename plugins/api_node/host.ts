import { arch, cpus, freemem, hostname, loadavg, platform, totalmem } from "node:os";
import process from "node:process";
import type { Machine } from "./machine.ts";

/** As nodes and consoles call them. */
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

/** The machine as the operating system tells of it. */
export function open(): Machine {
  let before: Ticks = { busy: 0, total: 0 };

  function cpuUsage(): number {
    const now = ticks();
    const passed = now.total - before.total;
    const usage = passed > 0 ? (now.busy - before.busy) / passed : 0;
    before = now;
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
