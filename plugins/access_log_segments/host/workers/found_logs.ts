import type { FoundLogs, LogPage } from "../../../http_access_log/contract.ts";
import { decodeBatch, encodeBatch } from "../../rows/batch.ts";
import type { FoundBatch } from "./messages.ts";

export function packFound({ entries, stoppedAt }: FoundLogs): FoundBatch {
  return { batch: encodeBatch(entries).buffer, stoppedAt };
}

export function unpackFound({ batch, stoppedAt }: FoundBatch): FoundLogs {
  return { entries: decodeBatch(new Uint8Array(batch)), stoppedAt };
}

/** Merges pages that have the same direction. Of several logs with the same request id the first one wins. */
export function mergeFound(parts: readonly FoundLogs[], { oldestFirst, size }: LogPage): FoundLogs {
  const isBeyond = (one: string, other: string) => oldestFirst ? one > other : one < other;
  let stoppedAt: string | undefined;
  for (const part of parts) {
    const stop = part.stoppedAt;
    if (stop !== undefined && (stoppedAt === undefined || isBeyond(stoppedAt, stop))) stoppedAt = stop;
  }
  const seen = new Set<string>();
  const entries = parts.flatMap((part) => part.entries).filter(({ requestId }) => {
    if (seen.has(requestId) || stoppedAt !== undefined && isBeyond(requestId, stoppedAt)) return false;
    seen.add(requestId);
    return true;
  });
  entries.sort((one, other) => isBeyond(one.requestId, other.requestId) ? 1 : -1);
  if (entries.length < size) return { entries, stoppedAt };
  return { entries: entries.slice(0, size) };
}
