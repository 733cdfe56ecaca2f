import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** One line of /proc: times are in clock ticks. */
interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** User and system time of its threads. */
  readonly own: number;
  /** User and system time of its children that have ended. */
  readonly ended: number;
}

/** The processor time of a process, its threads and all its descendants so far, in microseconds. */
export function cpuMicrosecondsOf(pid: number): number {
  const all = processes();
  const tree = new Set([pid]);
  // a child may stand before its parent in the list
  for (let size = 0; size !== tree.size;) {
    size = tree.size;
    for (const { pid: one, parent } of all) if (tree.has(parent)) tree.add(one);
  }
  const ticks = all.filter((one) => tree.has(one.pid)).reduce((sum, { own, ended }) => sum + own + ended, 0);
  return ticks / TICKS_PER_SECOND * 1e6;
}

/** The processor time of this process and all that it started, in seconds. */
export function ownCpuSeconds(): number {
  return cpuMicrosecondsOf(process.pid) / 1e6;
}

/** The processor time of the whole machine, in seconds; time that the hypervisor took away counts, interrupts do not. */
export function machineCpuSeconds(): number {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n", 1);
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = line.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + steal) / TICKS_PER_SECOND;
}

export function residentMegabytesOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

function processes(): ProcessStat[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      return [parseStat(readFileSync(`/proc/${name}/stat`, "utf8"))];
    } catch {
      // it ended meanwhile
      return [];
    }
  });
}

function parseStat(line: string): ProcessStat {
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ").map(Number);
  const sum = (...indexes: number[]) => indexes.reduce((total, index) => total + fields[index]!, 0);
  return { pid: Number.parseInt(line), parent: fields[1]!, own: sum(11, 12), ended: sum(13, 14) };
}
