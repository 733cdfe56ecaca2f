import type { PolicyRow } from "./store.ts";

/** Returns a policy as responses contain it, without its groups. */
export function policyMessage(row: PolicyRow) {
  return {
    id: row.id,
    name: row.name,
    isOn: row.isOn === 1n,
    description: row.description,
    inboundJSON: row.inboundJSON,
    outboundJSON: row.outboundJSON,
    mode: row.mode,
    serverId: row.serverId,
    useLocalFirewall: row.useLocalFirewall === 1n,
    synFloodJSON: row.synFloodJSON,
    blockOptionsJSON: row.blockOptionsJSON,
    captchaOptionsJSON: row.captchaOptionsJSON,
    pageOptionsJSON: row.pageOptionsJSON,
    jsCookieOptionsJSON: row.jsCookieOptionsJSON,
  };
}
