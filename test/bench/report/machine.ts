import { readFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";
import process from "node:process";

/** The machine that a bench runs on. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly megahertz: number;
  readonly memoryGigabytes: number;
  readonly system: string;
  readonly runtime: string;
  /** The load averages of 1, 5 and 15 minutes. */
  readonly loadAverage: readonly number[];
}

export function describeMachine(): Machine {
  const [first] = cpus();
  const megahertz = /cpu MHz\s*: ([\d.]+)/.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1] ?? first?.speed;
  const deno = process.versions["deno"];
  return {
    processor: first?.model ?? "unknown",
    cores: cpus().length,
    megahertz: Math.round(Number(megahertz)),
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `Linux ${release()}`,
    runtime: deno === undefined ? `Node ${process.versions.node}` : `Deno ${deno}`,
    loadAverage: loadavg().map((load) => Number(load.toFixed(2))),
  };
}

export function machineLine(machine: Machine, othersLoad: number): string {
  const { processor, cores, megahertz, memoryGigabytes, system, runtime, loadAverage } = machine;
  const others = `other processes use ${(othersLoad * 100).toFixed(0)} % of all cores before the bench`;
  return `${processor}, ${cores} cores at ${megahertz} MHz, ${memoryGigabytes} GB, ${system}, ${runtime}\n` +
    `load average ${loadAverage.join(" ")}; ${others}\n` +
    "servers write their log of the default level to a pipe that is read";
}
