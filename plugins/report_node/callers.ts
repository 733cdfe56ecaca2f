import { type Call, callerId, type Clock, type NodeKind, unixSeconds } from "edgehelm";
import { errors } from "./errors.ts";
import manifest from "./plugin.json" with { type: "json" };
import { isAllowedAddress, SILENT_SECONDS } from "./rules.ts";
import type { ReportNodeRow, ReportNodeStore } from "./store.ts";

/** The report node that calls; refuses when it is gone, or calls from an address that it may not report from. */
export async function callingNode(nodes: ReportNodeStore, call: Call): Promise<ReportNodeRow> {
  const id = callerId(call.caller);
  const node = await nodes.byId.first(call, { id });
  if (node === undefined) throw errors.not_found(id);
  const { remoteAddress } = call;
  if (!isAllowedAddress(node, remoteAddress)) throw errors.address_refused(id, remoteAddress ?? "an unknown address");
  return node;
}

/** What the streams of report nodes do to the nodes. */
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

/** A report node that does not report is not active, whatever it is connected to. */
export async function turnSilentOff(call: Call, nodes: ReportNodeStore, clock: Clock): Promise<void> {
  await call.transact((inner) => nodes.turnSilentOff.run(inner, { before: unixSeconds(clock) - SILENT_SECONDS }));
}
