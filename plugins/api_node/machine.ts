import type { Call } from "edgehelm";

/** What can be seen of the machine that an instance runs on. */
export interface MachineStatus {
  /** Such as linux, darwin or windows. */
  readonly os: string;
  /** Such as amd64 or arm64. */
  readonly arch: string;
  readonly hostname: string;
  /** The share of the processors in use since the last look, 0 to 1. */
  readonly cpuUsage: number;
  readonly cpuLogicalCount: number;
  /** The share of the memory in use, 0 to 1. */
  readonly memoryUsage: number;
  /** In bytes. */
  readonly memoryTotal: number;
  readonly load1m: number;
  readonly load5m: number;
  readonly load15m: number;
  /** The program that runs the instance. */
  readonly exePath: string;
}

/** The machine; there is none on an edge runtime. */
export interface Machine {
  status(call: Call): MachineStatus;
}
