import { type Call, jsonField } from "edgehelm";
import { NSSOASchema } from "edgehelm/proto/shapes/ns_soa_pb.js";
import type { NSClusters } from "../ns_cluster/contract.ts";
import type { NSRecordContent } from "../ns_record/contract.ts";

/** The SOA and NS records that a cluster answers for its domains. */
export interface Authority {
  /** The host names of the cluster's DNS servers, without a trailing dot. */
  readonly hosts: readonly string[];
  /** The parts of the SOA value; undefined without a primary server. */
  readonly soa: SOA | undefined;
  /** Increases with every change of the cluster. */
  readonly version: bigint;
}

interface SOA {
  readonly server: string;
  /** The email address of the person responsible; empty means the hostmaster of the domain. */
  readonly email: string;
  readonly times: string;
  readonly serial: number;
}

/** Refresh, retry, expire and minimum, for clusters that set none. */
export const DEFAULT_TIMES = [7200, 3600, 1_209_600, 3600] as const;

/** Returns the authority of the domains of a cluster, from its settings. */
export async function authorityOf(call: Call, clusters: NSClusters, nsClusterId: bigint): Promise<Authority> {
  const config = await clusters.nodeConfig(call, nsClusterId);
  const soa = config && jsonField("soaJSON", config.soaJSON, NSSOASchema);
  const [hosts, version] = [config?.hosts ?? [], config?.configVersion ?? 0n];
  const server = soa?.mName || hosts[0];
  if (config === undefined || soa === undefined || server === undefined) return { hosts, soa: undefined, version };
  const [refresh, retry, expire, minimum] = DEFAULT_TIMES;
  const { refreshSeconds = refresh, retrySeconds = retry, expireSeconds = expire, minimumTTL = minimum } = soa;
  const times = [refreshSeconds, retrySeconds, expireSeconds, minimumTTL].join(" ");
  const email = soa.rName || config.email;
  return { hosts, soa: { server: normalized(server), email, times, serial: soa.serial }, version };
}

function namesOf({ server, email }: SOA, domain: string): string {
  return `${server} ${mailboxName(email || `hostmaster@${domain}`)}`;
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
  { hosts, soa }: Pick<Authority, "hosts" | "soa">,
  domain: string,
  own: readonly Pick<NSRecordContent, "name" | "type">[],
  version: bigint,
): NSRecordContent[] {
  const has = (type: string) => own.some((record) => record.name === "@" && record.type === type);
  const records = has("NS") ? [] : hosts.map((host) => apex("NS", normalized(host)));
  if (soa === undefined || has("SOA")) return records;
  const serial = soa.serial || Number(version % 2n ** 32n) || 1;
  return [apex("SOA", `${namesOf(soa, domain)} ${serial} ${soa.times}`), ...records];
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
    return type === "SOA" && `${normalized(server)} ${normalized(mailbox)}` === (soa && namesOf(soa, zone)) &&
      times.join(" ") === soa?.times;
  });
  return new Set([...implied, ...same]);
}

function normalized(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

export function apex(type: string, value: string): NSRecordContent {
  const numbers = { mxPriority: 0, srvPriority: 0, srvWeight: 0, srvPort: 0, caaFlag: 0 };
  return { ...numbers, name: "@", type, value, ttl: 3600, caaTag: "" };
}
