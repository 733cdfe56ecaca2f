import { type Call, callerId, type CredentialSource, type SealedSecrets } from "edgehelm";
import { errors } from "./errors.ts";
import { isAllowedAddress } from "./rules.ts";
import type { ReportNodeRow, ReportNodeStore } from "./store.ts";

/** Exchanges a report node's uniqueId and secret for tokens, as long as it is there and on. */
export function reportNodeSource(nodes: ReportNodeStore, secrets: SealedSecrets): CredentialSource {
  return {
    name: "report_node",
    roles: ["report"],
    async verify(call, _role, uniqueId, secret) {
      const node = await nodes.byUniqueId.first(call, { uniqueId });
      const matches = await secrets.matches(uniqueId, node?.secret, secret);
      return matches && node?.isOn === 1n ? { subjectId: node.id, keyId: node.id } : undefined;
    },
    async isLive(call, _role, { subjectId }) {
      return (await nodes.byId.first(call, { id: subjectId }))?.isOn === 1n;
    },
  };
}

/** The report node that calls; refuses when it is gone, or calls from an address that it may not report from. */
export async function callingNode(nodes: ReportNodeStore, call: Call): Promise<ReportNodeRow> {
  const id = callerId(call.caller);
  const node = await nodes.byId.first(call, { id });
  if (node === undefined) throw errors.not_found(id);
  const { remoteAddress } = call;
  if (!isAllowedAddress(node, remoteAddress)) throw errors.address_refused(id, remoteAddress ?? "an unknown address");
  return node;
}
