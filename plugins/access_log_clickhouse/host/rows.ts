import { Buffer } from "node:buffer";
import { columnsOf, type LogEntry } from "../../http_access_log/contract.ts";
import { IDS } from "./conditions.ts";

/** The columns of a log in responses, in the order of `ShownRow`. */
export const SHOWN_COLUMNS = ["requestId", "userId", "nodeClusterId", "log"] as const;
export type ShownRow = readonly [requestId: string, userId: string, nodeClusterId: string, log: string, body?: string];

/** Converts a log to a row. Bytes become the characters with the same codes, since the JSON formats are UTF-8. */
export function rowOf(entry: LogEntry, place: { readonly day: bigint; readonly part: number; readonly rank: string }) {
  const columns = columnsOf(entry);
  return {
    ...columns,
    ...Object.fromEntries(IDS.map((name) => [name, numeral(columns[name])])),
    day: Number(place.day),
    part: place.part,
    rank: place.rank,
    log: charactersOf(entry.log),
    requestBody: charactersOf(entry.requestBody),
  };
}

export function entryOf([requestId, userId, nodeClusterId, log, body = ""]: ShownRow): LogEntry {
  return {
    requestId,
    userId: BigInt(userId),
    nodeClusterId: BigInt(nodeClusterId),
    log: bytesOf(log),
    requestBody: bytesOf(body),
  };
}

function numeral(id: bigint): number | string {
  return id <= Number.MAX_SAFE_INTEGER && id >= Number.MIN_SAFE_INTEGER ? Number(id) : String(id);
}

function charactersOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

function bytesOf(characters: string): Uint8Array {
  return Uint8Array.from(Buffer.from(characters, "latin1"));
}
