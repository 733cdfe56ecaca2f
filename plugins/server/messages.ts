import { type Call, distinct } from "edgehelm";
import type { RelatedContracts } from "./sites.ts";
import type { ServerRow } from "./store.ts";

const EMPTY_LIST = new TextEncoder().encode("[]");

/** The parts of a server that a response contains. */
export interface Detail {
  readonly settings: boolean;
  readonly names: boolean;
}

/** Returns messages of servers with their clusters and owners. */
export async function serverMessages(
  call: Call,
  { clusters, users }: RelatedContracts,
  rows: readonly ServerRow[],
  detail: Detail,
) {
  if (rows.length === 0) return [];
  const clusterOf = await clusters?.nested(call, distinct(rows.map((row) => row.nodeClusterId)));
  const userIds = distinct(rows.map((row) => row.userId)).filter((id) => id !== 0n);
  const userOf = userIds.length === 0 ? undefined : await users?.nested(call, userIds);
  return rows.map((row) => {
    const cluster = clusterOf?.get(row.nodeClusterId) ?? { id: row.nodeClusterId };
    const user = userOf?.get(row.userId);
    return {
      ...basicFields(row),
      ...(detail.settings && settingsFields(row)),
      ...(detail.names && { serverNamesJSON: row.serverNamesJSON }),
      nodeCluster: cluster,
      ...(user && { user }),
    };
  });
}

function basicFields(row: ServerRow) {
  const { id, type, name, description, createdAt, userPlanId, userId, firstServerName } = row;
  const countServerNames = Number(row.countServerNames);
  return {
    ...{ id, type, name, description, createdAt, userPlanId, userId, firstServerName, countServerNames },
    isOn: row.isOn === 1n,
    auditingServerNamesJSON: EMPTY_LIST,
  };
}

function settingsFields(row: ServerRow) {
  const { httpJSON, httpsJSON, tcpJSON, tlsJSON, udpJSON, webId, reverseProxyJSON } = row;
  return {
    ...{ httpJSON, httpsJSON, tcpJSON, tlsJSON, udpJSON, webId, reverseProxyJSON },
    includeNodes: row.includeNodesJSON,
    excludeNodes: row.excludeNodesJSON,
  };
}
