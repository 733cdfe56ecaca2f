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

/** What a node said last: a log that is kept already, or one of those that are about to be. */
interface Said {
  readonly hash: string;
  readonly createdAt: bigint;
  readonly isFixed: boolean;
  /** Undefined for a new one. */
  readonly id: bigint | undefined;
  count: number;
}

/** Writes logs in their order, in one transaction, by the same few statements however many they are. */
export async function writeLogs(
  call: Call,
  { logs, changes }: { logs: NodeLogStore; changes: NodeLogChanges },
  newLogs: readonly NewLog[],
): Promise<void> {
  const nodes = new Map(
    newLogs.map(({ role, nodeId }) => [`${role} ${nodeId}`, `[${JSON.stringify(role)},${nodeId}]`]),
  );
  const lastOnes = await logs.lastOfNodes.all(call, { nodes: `[${[...nodes.values()].join()}]` });
  const last = new Map<string, Said>(
    lastOnes.map((row) => [`${row.role} ${row.nodeId}`, { ...row, isFixed: row.isFixed === 1n, count: 0 }]),
  );
  const before = [...last.values()];
  const added: { log: NewLog; said: Said }[] = [];
  for (const log of newLogs) {
    const node = `${log.role} ${log.nodeId}`;
    const known = last.get(node);
    const isAgain = known !== undefined && known.hash === log.hash && !known.isFixed &&
      log.createdAt - known.createdAt < MERGED_SECONDS;
    if (isAgain) known.count++;
    else {
      const said = { hash: log.hash, createdAt: log.createdAt, isFixed: false, id: undefined, count: 1 };
      last.set(node, said);
      added.push({ log, said });
    }
  }
  const again = before.filter(({ count }) => count > 0).map(({ id, count }) => `[${id},${count}]`);
  if (again.length > 0) await changes.countAgain.run(call, { again: `[${again.join()}]` });
  if (added.length === 0) return;
  const { id: after } = await logs.newestId.one(call, {});
  const rows = added.map(({ log, said }) => ({ ...log, count: said.count, isRead: log.level === "error" ? 0 : 1 }));
  await changes.add(call, rows, after);
  const isSuccess = ({ log }: { log: NewLog }) => log.level === "success" && log.type !== "";
  if (added.some(isSuccess)) await changes.fixErrors(call, after);
}
