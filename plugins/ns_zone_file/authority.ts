import { type Call, jsonField } from "edgehelm";
import { NSSOASchema } from "edgehelm/proto/shapes/ns_soa_pb.js";
import type { NSClusters } from "../ns_cluster/contract.ts";
import type { NSDomainSummary } from "../ns_domain/contract.ts";
import type { NSRecordContent } from "../ns_record/contract.ts";

/** The SOA and NS records that a cluster answers for its domains. */
export interface Authority {
  /** The host names of the cluster's DNS servers, without a trailing dot. */
  readonly hosts: readonly string[];
  /** The parts of the SOA value before and after the serial, and the serial; undefined without a primary server. */
  readonly soa: { readonly names: string; readonly times: string; readonly serial: number } | undefined;
}

/** Returns the authority of a domain, from the settings of its cluster. */
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
      names: `${normalized(server)} ${mailboxName(soa.rName || config.email || `hostmaster@${domain.name}`)}`,
      times: [refreshSeconds, retrySeconds, expireSeconds, minimumTTL].join(" "),
      serial,
    },
  };
}

/** Returns an email address in the format of SOA records, with the dots before the @ escaped. */
function mailboxName(address: string): string {
  const [local = "", host = ""] = address.toLowerCase().split("@");
  return `${local.replaceAll(".", "\\.")}.${host}`;
}

/**
 * Returns the SOA and NS records that the cluster answers for a domain without such records of its own.
 *
 * @param version the serial of the SOA if the cluster sets none
 */
export function impliedRecords(
  { hosts, soa }: Authority,
  own: readonly Pick<NSRecordContent, "name" | "type">[],
  version: bigint,
): NSRecordContent[] {
  const has = (type: string) => own.some((record) => record.name === "@" && record.type === type);
  const records = has("NS") ? [] : hosts.map((host) => apex("NS", normalized(host)));
  if (soa === undefined || has("SOA")) return records;
  const serial = soa.serial || Number(version % 2n ** 32n) || 1;
  return [apex("SOA", `${soa.names} ${serial} ${soa.times}`), ...records];
}

/**
 * Returns the records of a file that the cluster already answers: the SOA if only its serial differs, and the NS
 * records of the domain if all of them are hosts of the cluster.
 */
export function impliedIn(
  { hosts, soa }: Authority,
  records: readonly NSRecordContent[],
  zone: string,
): ReadonlySet<NSRecordContent> {
  const names = new Set(hosts.map(normalized));
  const nameServers = records.filter(({ name, type }) => type === "NS" && normalized(name) === zone);
  const implied = nameServers.every(({ value }) => names.has(normalized(value))) ? nameServers : [];
  const same = records.filter(({ type, value }) => {
    const [server = "", mailbox = "", , ...times] = value.split(" ");
    return type === "SOA" && `${normalized(server)} ${normalized(mailbox)}` === soa?.names &&
      times.join(" ") === soa.times;
  });
  return new Set([...implied, ...same]);
}

function normalized(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

function apex(type: string, value: string): NSRecordContent {
  const numbers = { mxPriority: 0, srvPriority: 0, srvWeight: 0, srvPort: 0, caaFlag: 0 };
  return { ...numbers, name: "@", type, value, ttl: 3600, caaTag: "" };
}
