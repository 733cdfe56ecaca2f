import type { Call } from "edgehelm";
import { hexText } from "edgehelm/wire";
import type { NodeLogStore } from "./store.ts";
import type { NewLog, NodeLogChanges } from "./store_changes.ts";

/** A log that repeats the last log of its node within this time is counted instead of stored. */
const MERGE_WINDOW_SECONDS = 1800n;

/** Adds the hash of its text and properties to each log. Must be called before the transaction, to keep that short. */
export async function hashed(logs: readonly Omit<NewLog, "hash">[]): Promise<NewLog[]> {
  return await Promise.all(logs.map(async (log) => ({ ...log, hash: await hashOf(log) })));
}

async function hashOf(log: Omit<NewLog, "hash">): Promise<string> {
  const values = [log.role, log.nodeId, log.serverId, log.originId, log.level, log.tag, log.type, log.description];
  const text = JSON.stringify([...values.map(String), log.paramsJSON]);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return hexText(digest.subarray(0, 16));
}

/** The last log of a node: a stored one or one that is about to be stored. */
interface LastLog {
  readonly hash: string;
  readonly createdAt: bigint;
  readonly isFixed: boolean;
  /** Undefined for a log that is not stored yet. */
  readonly id: bigint | undefined;
  /** The number of occurrences in this batch. */
  count: number;
}

/** Writes logs in order. The caller opens the transaction. The number of statements does not depend on that of logs. */
export async function writeLogs(
  call: Call,
  { logs, changes }: { logs: NodeLogStore; changes: NodeLogChanges },
  newLogs: readonly NewLog[],
): Promise<void> {
  const nodes = new Map(
    newLogs.map(({ role, nodeId }) => [`${role} ${nodeId}`, `[${JSON.stringify(role)},${nodeId}]`]),
  );
  const lastRows = await logs.lastOfNodes.all(call, { nodes: `[${[...nodes.values()].join()}]` });
  const lastLogs = new Map<string, LastLog>(
    lastRows.map((row) => [`${row.role} ${row.nodeId}`, { ...row, isFixed: row.isFixed === 1n, count: 0 }]),
  );
  const stored = [...lastLogs.values()];
  const added: { log: NewLog; entry: LastLog }[] = [];
  for (const log of newLogs) {
    const node = `${log.role} ${log.nodeId}`;
    const last = lastLogs.get(node);
    const isRepeat = last !== undefined && last.hash === log.hash && !last.isFixed &&
      log.createdAt - last.createdAt < MERGE_WINDOW_SECONDS;
    if (isRepeat) last.count++;
    else {
      const entry = { hash: log.hash, createdAt: log.createdAt, isFixed: false, id: undefined, count: 1 };
      lastLogs.set(node, entry);
      added.push({ log, entry });
    }
  }
  const repeats = stored.filter(({ count }) => count > 0).map(({ id, count }) => `[${id},${count}]`);
  if (repeats.length > 0) await changes.addRepeats.run(call, { repeats: `[${repeats.join()}]` });
  if (added.length === 0) return;
  const { id: after } = await logs.newestId.one(call, {});
  const rows = added.map(({ log, entry }) => ({ ...log, count: entry.count, isRead: log.level === "error" ? 0 : 1 }));
  await changes.add(call, rows, after);
  const isSuccess = ({ log }: { log: NewLog }) => log.level === "success" && log.type !== "";
  if (added.some(isSuccess)) await changes.fixErrors(call, after, added.length);
}
