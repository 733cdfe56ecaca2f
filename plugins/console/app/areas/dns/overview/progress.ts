import { callPath } from "../../../shell/call.ts";

/** The way of an installation to the first domain that it serves, as far as it has come. */
export interface Progress {
  readonly clusterId: bigint | undefined;
  readonly hasNode: boolean;
  readonly domainId: bigint | undefined;
  /** True if a domain has a record, or there are many domains. */
  readonly hasRecord: boolean;
}

const CLUSTERS = "NSClusterService/listNSClusters";
const NODES = "NSNodeService/countAllNSNodesMatch";
const DOMAINS = "NSDomainService/listNSDomains";
const RECORDS = "NSRecordService/countAllNSRecords";

/** The operations that the first steps need, with those that they lead to. */
export const NEEDED = [
  CLUSTERS,
  NODES,
  DOMAINS,
  RECORDS,
  "NSClusterService/createNSCluster",
  "NSNodeService/createNSNode",
  "NSDomainService/createNSDomain",
];

const FEW_DOMAINS = 3n;

export async function loadProgress(signal: AbortSignal): Promise<Progress> {
  const [{ nsClusters }, { count }, { nsDomains }] = await Promise.all([
    callPath(CLUSTERS, { offset: 0n, size: 1n }, signal),
    callPath(NODES, {}, signal),
    callPath(DOMAINS, { offset: 0n, size: FEW_DOMAINS }, signal),
  ]);
  const [clusterId] = idsOf(nsClusters);
  const domainIds = idsOf(nsDomains);
  const [domainId] = domainIds;
  const isBusy = BigInt(domainIds.length) === FEW_DOMAINS;
  return { clusterId, hasNode: count !== 0n, domainId, hasRecord: isBusy || await someHasRecord(domainIds, signal) };
}

async function someHasRecord(domainIds: readonly bigint[], signal: AbortSignal): Promise<boolean> {
  const counts = await Promise.all(domainIds.map((nsDomainId) => callPath(RECORDS, { nsDomainId }, signal)));
  return counts.some(({ count }) => count !== 0n);
}

function idsOf(rows: unknown): readonly bigint[] {
  return (rows as readonly { readonly id: bigint }[]).map(({ id }) => id);
}
