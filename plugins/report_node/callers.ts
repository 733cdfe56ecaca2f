import { type Call, callerId, type Clock, unixSeconds } from "edgehelm";
import type { NodeKind } from "../node_base/contract.ts";
import type { ReportNodes } from "./contract.ts";
import { errors } from "./errors.ts";
import manifest from "./plugin.json" with { type: "json" };
import { isAllowedAddress, placeOf, SILENT_SECONDS } from "./rules.ts";
import type { ReportNodeRow, ReportNodeStore } from "./store.ts";
import type { ReportTasks } from "./tasks.ts";

/** Returns the calling report node. Refuses a node that does not exist or calls from an address that is not allowed. */
export async function callingNode(nodes: ReportNodeStore, call: Call): Promise<ReportNodeRow> {
  const id = callerId(call.caller);
  const node = await nodes.byId.first(call, { id });
  if (node === undefined) throw errors.not_found(id);
  const { remoteAddress } = call;
  if (!isAllowedAddress(node, remoteAddress)) throw errors.address_refused(id, remoteAddress ?? "an unknown address");
  return node;
}

/** Implements the contract. */
export function reportNodes(nodes: ReportNodeStore, tasks: ReportTasks): ReportNodes {
  return {
    requireCaller: async (call) => (await callingNode(nodes, call)).id,
    targetsAmong: (call, ids) => tasks.targetsAmong(call, ids),
    places: async (call, ids) => new Map((await nodes.ofIds(call, [...ids])).map((row) => [row.id, placeOf(row)])),
  };
}

/** Tracks the connection state of report nodes. */
export function reportNodeKind(nodes: ReportNodeStore): NodeKind {
  return {
    name: manifest.name,
    async connected(call, id) {
      await callingNode(nodes, call);
      await nodes.setActive.run(call, { id, isActive: true });
    },
    async disconnected(call, id) {
      await nodes.setActive.run(call, { id, isActive: false });
    },
  };
}

/** Marks report nodes inactive that have stopped reporting, even if they are connected. */
export async function markSilentInactive(call: Call, nodes: ReportNodeStore, clock: Clock): Promise<void> {
  await call.transact((inner) => nodes.markSilentInactive.run(inner, { before: unixSeconds(clock) - SILENT_SECONDS }));
}
