import { type Call, jsonRows } from "edgehelm";
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

/**
 * Writes logs in their order, in one transaction and few statements: what comes of each is found out here, as if they
 * came one by one.
 */
export async function writeLogs(
  call: Call,
  { logs, changes }: { logs: NodeLogStore; changes: NodeLogChanges },
  newLogs: readonly NewLog[],
): Promise<void> {
  const lastOf = new Map<string, LastLog>();
  const nodes = [...new Map(newLogs.map((log) => [nodeOf(log), { role: log.role, nodeId: log.nodeId }])).values()];
  for (const texts of jsonRows(nodes)) {
    for (const row of await logs.lastOfNodes.all(call, { nodes: texts })) {
      lastOf.set(nodeOf(row), { ...row, isFixed: row.isFixed === 1n });
    }
  }
  const [drafts, successes]: [Draft[], NewLog[]] = [[], []];
  const timesOf = new Map<bigint, number>();
  const unfixed = new Map<string, Set<Draft>>();
  for (const log of newLogs) {
    const last = lastOf.get(nodeOf(log));
    const isAgain = last !== undefined && last.hash === log.hash && !last.isFixed &&
      log.createdAt - last.createdAt < MERGED_SECONDS;
    const matter = matterOf(log);
    if (!isAgain) {
      const draft = { ...log, count: 1, isRead: log.level !== "error", isFixed: false };
      drafts.push(draft);
      lastOf.set(nodeOf(log), draft);
      if (log.level === "error") unfixed.set(matter, (unfixed.get(matter) ?? new Set()).add(draft));
    } else if ("count" in last) last.count++;
    else timesOf.set(last.id, (timesOf.get(last.id) ?? 0) + 1);
    if (log.level !== "success" || log.type === "") continue;
    successes.push(log);
    for (const error of unfixed.get(matter) ?? []) error.isFixed = error.isRead = true;
    unfixed.delete(matter);
  }
  const rows = drafts.map((draft) => ({ ...draft, isRead: Number(draft.isRead), isFixed: Number(draft.isFixed) }));
  const again = [...timesOf].map(([id, times]) => ({ id, times }));
  for (const text of jsonRows(again)) await changes.countAgain.defer(call, { rows: text });
  for (const text of jsonRows(successes)) await changes.fixErrors.defer(call, { rows: text });
  for (const text of jsonRows(rows)) await changes.insert.defer(call, { rows: text });
}

/** The last log of a node: one that is kept already, or one of those that are being written. */
type LastLog =
  | { readonly id: bigint; readonly hash: string; readonly createdAt: bigint; readonly isFixed: boolean }
  | Draft;

interface Draft extends NewLog {
  count: number;
  isRead: boolean;
  isFixed: boolean;
}

function nodeOf({ role, nodeId }: { role: string; nodeId: bigint }): string {
  return `${role} ${nodeId}`;
}

/** What a success and the errors that it fixes have in common. */
function matterOf({ type, serverId, paramsJSON, ...log }: NewLog): string {
  return `${nodeOf(log)} ${serverId} ${JSON.stringify([type, paramsJSON])}`;
}
