import { type Call, distinct } from "edgehelm";
import { type ForeignRows, nodeCaller } from "../node_base/contract.ts";
import type { ReverseProxies } from "../reverse_proxy/contract.ts";
import { type Servers, wasServed } from "../server/contract.ts";
import type { NewLog } from "./store_changes.ts";

/** The contracts that know which sites and origins a node serves. */
export interface SubjectDeps {
  readonly servers: Servers | undefined;
  readonly proxies: ReverseProxies | undefined;
  readonly foreign: ForeignRows;
}

type Log = Omit<NewLog, "hash">;

/**
 * Returns the logs without those that a node writes about sites or origins that it does not serve. DNS nodes and report
 * nodes serve none.
 */
export async function ownLogs(
  call: Call,
  { servers, proxies, foreign }: SubjectDeps,
  logs: readonly Log[],
): Promise<readonly Log[]> {
  if (nodeCaller(call) === undefined) return logs;
  const serverIds = idsOf(logs, "serverId");
  const originIds = idsOf(logs, "originId");
  const served = serverIds.length === 0 ? undefined : await servers?.servedByCaller(call, serverIds);
  const origins = originIds.length === 0 ? undefined : await proxies?.originsServedByCaller(call, originIds);
  const own = logs.filter(({ serverId, originId, createdAt }) =>
    (serverId === 0n || wasServed(served?.get(serverId), createdAt)) &&
    (originId === 0n || origins?.has(originId) === true)
  );
  foreign.dropped(call, logs.length - own.length);
  return own;
}

function idsOf(logs: readonly Log[], field: "serverId" | "originId"): bigint[] {
  return distinct(logs.map((log) => log[field])).filter((id) => id !== 0n);
}
