import { readdirSync, readFileSync } from "node:fs";

/** The memory and descriptors of a process at a time. */
export interface ProcessSample {
  readonly minute: number;
  readonly residentMegabytes: number;
  /** Without the pages of files, such as those of a database that is mapped into memory. */
  readonly anonymousMegabytes: number;
  readonly descriptors: number;
}

export function sampleProcess(pid: number, minute: number): ProcessSample {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return {
    minute,
    residentMegabytes: megabytes("VmRSS"),
    anonymousMegabytes: megabytes("RssAnon"),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}

/** The slope of the line through points with the least squares of its distances. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (index: 0 | 1) => points.reduce((sum, point) => sum + point[index], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
