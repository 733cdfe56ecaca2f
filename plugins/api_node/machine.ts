import type { Call } from "edgehelm";

/** The status of the machine on which an instance runs. */
export interface MachineStatus {
  /** The operating system, such as linux, darwin or windows. */
  readonly os: string;
  /** The processor architecture, such as amd64 or arm64. */
  readonly arch: string;
  readonly hostname: string;
  /** The share of processor time in use since the previous status, 0 to 1. */
  readonly cpuUsage: number;
  readonly cpuLogicalCount: number;
  /** The share of the memory in use, 0 to 1. */
  readonly memoryUsage: number;
  /** In bytes. */
  readonly memoryTotal: number;
  readonly load1m: number;
  readonly load5m: number;
  readonly load15m: number;
  /** The path of the host's executable. */
  readonly exePath: string;
}

/** Reads the status of the machine. The edge has no machine. */
export interface Machine {
  status(call: Call): MachineStatus;
}
