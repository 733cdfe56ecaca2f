import { type Call, distinct } from "edgehelm";
import { type ForeignRows, nodeCaller } from "../node_base/contract.ts";
import type { NodeLogSubject } from "./contract.ts";
import type { NewLog } from "./store_changes.ts";

/** The dependencies of `ownLogs`. */
export interface SubjectDeps {
  readonly subjects: readonly NodeLogSubject[];
  readonly foreign: ForeignRows;
}

type Log = Omit<NewLog, "hash">;

/**
 * Returns the logs without those that a node writes about sites or origins that it does not serve. DNS nodes and report
 * nodes serve none.
 */
export async function ownLogs(
  call: Call,
  { subjects, foreign }: SubjectDeps,
  logs: readonly Log[],
): Promise<readonly Log[]> {
  if (nodeCaller(call) === undefined) return logs;
  const aboutSites = await writable(call, subjects, logs, "serverId");
  const aboutOrigins = await writable(call, subjects, logs, "originId");
  const own = logs.filter((log) => aboutSites(log) && aboutOrigins(log));
  foreign.dropped(call, logs.length - own.length);
  return own;
}

/** Returns a test of whether the caller may write about what a field of a log refers to. */
async function writable(
  call: Call,
  subjects: readonly NodeLogSubject[],
  logs: readonly Log[],
  field: NodeLogSubject["field"],
): Promise<(log: Log) => boolean> {
  const ids = distinct(logs.map((log) => log[field])).filter((id) => id !== 0n);
  const subject = subjects.find((candidate) => candidate.field === field);
  const served = ids.length === 0 ? undefined : await subject?.ofCaller(call, ids);
  return ({ [field]: id, createdAt }) =>
    id === 0n || served?.has(id) === true && createdAt <= (served.get(id) ?? createdAt);
}
