import type { Call } from "edgehelm";
import type { NodeLogStore } from "./store.ts";
import type { NewLog, NodeLogChanges } from "./store_changes.ts";

/** A log that says what the node's last one said, and comes no later after it, is counted and not kept again. */
const MERGED_SECONDS = 1800n;

/** Gives each log the hash of what it says; logs of one hash say the same. Computed before any transaction. */
export async function hashed(logs: readonly Omit<NewLog, "hash">[]): Promise<NewLog[]> {
  return await Promise.all(logs.map(async (log) => ({ ...log, hash: await hashOf(log) })));
}

async function hashOf(log: Omit<NewLog, "hash">): Promise<string> {
  const says = [log.role, log.nodeId, log.serverId, log.originId, log.level, log.tag, log.type, log.description];
  const text = JSON.stringify([...says.map(String), log.paramsJSON]);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Writes logs in their order, in one transaction. */
export async function writeLogs(
  call: Call,
  { logs, changes }: { logs: NodeLogStore; changes: NodeLogChanges },
  newLogs: readonly NewLog[],
): Promise<void> {
  for (const { log, count } of merged(newLogs)) {
    const last = await logs.lastOfNode.first(call, log);
    const isAgain = last !== undefined && last.hash === log.hash && last.isFixed === 0n &&
      log.createdAt - last.createdAt < MERGED_SECONDS;
    if (isAgain) await changes.countAgain.run(call, { id: last.id, times: count });
    else await changes.insert.run(call, { ...log, count, isRead: log.level === "error" ? 0n : 1n });
    if (log.level === "success" && log.type !== "") await changes.fixErrors.run(call, log);
  }
}

/** Runs of logs that say the same, as one each. */
function merged(newLogs: readonly NewLog[]): { log: NewLog; count: number }[] {
  const runs: { log: NewLog; count: number }[] = [];
  for (const log of newLogs) {
    const run = runs.at(-1);
    if (run?.log.hash === log.hash && log.createdAt - run.log.createdAt < MERGED_SECONDS) run.count++;
    else runs.push({ log, count: 1 });
  }
  return runs;
}
