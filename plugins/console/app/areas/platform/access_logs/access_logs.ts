import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";

export const LIST = "HTTPAccessLogService/listHTTPAccessLogs";
export const PARTITIONS = "HTTPAccessLogService/findHTTPAccessLogPartitions";
const SIZE = 100;

/** The log of one request, as far as the table shows it. */
export interface AccessLog {
  readonly requestId: string;
  readonly timestamp: bigint;
  readonly msec: number;
  readonly remoteAddr: string;
  readonly requestMethod: string;
  readonly scheme: string;
  readonly host: string;
  readonly requestURI: string;
  readonly status: number;
  readonly bytesSent: bigint;
  readonly requestTime: number;
}

/** From where a page goes on: towards older logs, or towards newer ones. */
export interface Position {
  readonly cursor: string;
  readonly isNewer: boolean;
  /** The part of a large day; -1 is the latest. */
  readonly partition: number;
}

export interface LogPage {
  readonly logs: readonly AccessLog[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** Loads a page of logs, newest first. */
export async function loadLogs(
  filter: Readonly<Record<string, unknown>>,
  { cursor, isNewer, partition }: Position,
  signal?: AbortSignal,
): Promise<LogPage> {
  const position = { requestId: cursor, reverse: isNewer, partition, size: BigInt(SIZE) };
  const page = await callPath(LIST, { ...filter, ...position }, signal);
  return {
    logs: page["httpAccessLogs"] as readonly AccessLog[],
    cursor: page["requestId"] as string,
    hasMore: page["hasMore"] as boolean,
  };
}

/** Loads the parts of a day; most days have one. */
export async function loadPartitions(day: string, signal?: AbortSignal): Promise<readonly number[]> {
  if (!mayCall(PARTITIONS)) return [];
  return (await callPath(PARTITIONS, { day: day.replaceAll("-", "") }, signal))["reversePartitions"] as number[];
}

/** The time of a request in unix seconds, with its fraction if the node sent it. */
export function secondsOf({ msec, timestamp }: AccessLog): number {
  return msec > 0 ? msec : Number(timestamp);
}

/** The lengths of bars in seconds. */
const LENGTHS = [1, 5, 15, 60, 300, 900, 3600];
const MAX_BARS = 48;

/** The requests in steps of the same length, and how many of them failed. */
export interface Bars {
  readonly times: readonly number[];
  readonly all: readonly number[];
  readonly failed: readonly number[];
  /** The length of a step in seconds. */
  readonly length: number;
}

/** Counts logs by time, in at most 48 steps. */
export function barsOf(logs: readonly AccessLog[]): Bars {
  if (logs.length === 0) return { times: [], all: [], failed: [], length: 1 };
  const seconds = logs.map(secondsOf);
  const [first, last] = [Math.min(...seconds), Math.max(...seconds)];
  const length = LENGTHS.find((step) => (last - first) / step < MAX_BARS - 1) ?? LENGTHS.at(-1)!;
  const start = Math.floor(first / length);
  const count = Math.floor(last / length) - start + 1;
  const indexes = seconds.map((at) => Math.floor(at / length) - start);
  const counted = (of: (log: AccessLog) => boolean) =>
    logs.reduce((bars, log, row) => {
      if (of(log)) bars[indexes[row]!]!++;
      return bars;
    }, Array<number>(count).fill(0));
  return {
    times: Array.from({ length: count }, (_, index) => (start + index) * length),
    all: counted(() => true),
    failed: counted(({ status }) => status >= 400),
    length,
  };
}

/** The state that a status means to the reader. */
export function kindOf(status: number): "ok" | "idle" | "warn" | "bad" {
  if (status >= 500) return "bad";
  if (status >= 400) return "warn";
  return status >= 300 || status < 200 ? "idle" : "ok";
}
