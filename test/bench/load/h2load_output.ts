import { quantile } from "../report/statistics.ts";

/** The result of one load by h2load. */
export interface H2loadResult {
  readonly calls: number;
  readonly seconds: number;
  readonly perSecond: number;
}

/**
 * Reads the report of h2load; throws when a call failed or the responses are too small. h2load does not read trailers,
 * and an error of gRPC has no message: so the bytes of all messages tell whether all calls succeeded.
 *
 * @param leastBytes what the body of one response has at least
 */
export function parseH2loadOutput(output: string, leastBytes: number): H2loadResult {
  const counts = /^requests: (\d+) total, \d+ started, \d+ done, (\d+) succeeded/m.exec(output);
  const timing = /^finished in ([\d.]+)(us|ms|s), ([\d.]+) req\/s/m.exec(output);
  const data = /\((\d+)\) data$/m.exec(output);
  if (counts === null || timing === null || data === null) throw new Error(`h2load printed no report: ${output}`);
  const [calls, succeeded] = [Number(counts[1]), Number(counts[2])];
  if (succeeded !== calls) throw new Error(`${calls - succeeded} of ${calls} calls of h2load failed: ${output}`);
  if (Number(data[1]) < calls * leastBytes) {
    throw new Error(`${calls} responses have ${data[1]} bytes in all, less than ${leastBytes} each: some are errors`);
  }
  const seconds = Number(timing[1]) * { us: 1e-6, ms: 1e-3, s: 1 }[timing[2] as "us" | "ms" | "s"];
  return { calls, seconds, perSecond: Number(timing[3]) };
}

/**
 * Reads the log of single calls that h2load writes.
 *
 * @returns the latency in milliseconds that this share of all calls stays under
 */
export function latencyInLog(log: string, share: number): number {
  const microseconds = log.split("\n").filter((line) => line !== "").map((line) => Number(line.split("\t")[2]));
  return quantile(microseconds, share) / 1000;
}
