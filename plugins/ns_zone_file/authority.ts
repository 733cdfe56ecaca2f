import { type Call, jsonField } from "edgehelm";
import { NSSOASchema } from "edgehelm/proto/shapes/ns_soa_pb.js";
import type { NSClusters } from "../ns_cluster/contract.ts";
import type { NSDomainSummary } from "../ns_domain/contract.ts";
import type { NSRecordContent } from "../ns_record/contract.ts";

/** What a domain's cluster answers by itself: who is the authority of its domains. */
export interface Authority {
  /** The hosts of its name servers, without a dot at the end. */
  readonly hosts: readonly string[];
  /** The value of its SOA up to the serial, and after it; undefined when it has no server to name. */
  readonly soa: { readonly names: string; readonly times: string; readonly serial: number } | undefined;
}

export async function authorityOf(call: Call, clusters: NSClusters, domain: NSDomainSummary): Promise<Authority> {
  const config = await clusters.nodeConfig(call, domain.nsClusterId);
  const soa = config && jsonField("soaJSON", config.soaJSON, NSSOASchema);
  const hosts = config?.hosts ?? [];
  const server = soa?.mName || hosts[0];
  if (config === undefined || soa === undefined || server === undefined) return { hosts, soa: undefined };
  const { refreshSeconds = 7200, retrySeconds = 3600, expireSeconds = 1_209_600, minimumTTL = 3600, serial } = soa;
  return {
    hosts,
    soa: {
      names: `${bare(server)} ${mailboxName(soa.rName || config.email || `hostmaster@${domain.name}`)}`,
      times: [refreshSeconds, retrySeconds, expireSeconds, minimumTTL].join(" "),
      serial,
    },
  };
}

/** An email address as a SOA has it: dots before the @ are escaped. */
function mailboxName(address: string): string {
  const [local = "", host = ""] = address.toLowerCase().split("@");
  return `${local.replaceAll(".", "\\.")}.${host}`;
}

/**
 * The records that a cluster answers for a domain whose own do not replace them.
 *
 * @param version for the serial of the SOA, when the cluster does not state one
 */
export function impliedRecords(
  { hosts, soa }: Authority,
  own: readonly Pick<NSRecordContent, "name" | "type">[],
  version: bigint,
): NSRecordContent[] {
  const has = (type: string) => own.some((record) => record.name === "@" && record.type === type);
  const records = has("NS") ? [] : hosts.map((host) => apex("NS", bare(host)));
  if (soa === undefined || has("SOA")) return records;
  const serial = soa.serial || Number(version % 2n ** 32n) || 1;
  return [apex("SOA", `${soa.names} ${serial} ${soa.times}`), ...records];
}

/**
 * Which records of a file say no more than the cluster does: the SOA when only its serial differs, and the NS of the
 * domain when all of them are hosts of the cluster.
 */
export function impliedIn(
  { hosts, soa }: Authority,
  records: readonly NSRecordContent[],
  zone: string,
): ReadonlySet<NSRecordContent> {
  const names = new Set(hosts.map(bare));
  const nameServers = records.filter(({ name, type }) => type === "NS" && bare(name) === zone);
  const implied = nameServers.every(({ value }) => names.has(bare(value))) ? nameServers : [];
  const same = records.filter(({ type, value }) => {
    const [server = "", mailbox = "", , ...times] = value.split(" ");
    return type === "SOA" && `${bare(server)} ${bare(mailbox)}` === soa?.names && times.join(" ") === soa.times;
  });
  return new Set([...implied, ...same]);
}

function bare(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

function apex(type: string, value: string): NSRecordContent {
  const numbers = { mxPriority: 0, srvPriority: 0, srvWeight: 0, srvPort: 0, caaFlag: 0 };
  return { ...numbers, name: "@", type, value, ttl: 3600, caaTag: "" };
}
