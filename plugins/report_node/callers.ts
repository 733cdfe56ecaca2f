import { type Call, callerId } from "edgehelm";
import { errors } from "./errors.ts";
import { isAllowedAddress } from "./rules.ts";
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
