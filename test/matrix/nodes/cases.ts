import type { JsonObject } from "@bufbuild/protobuf";
import type { NodeRole, Side, StoredFile } from "./sides.ts";

/** The sender of a request and the side whose objects the request names. */
export interface Sending {
  readonly role: NodeRole;
  readonly caller: Side;
  readonly named: Side;
  /** Different for every request. */
  readonly serial: number;
  /** The current time in unix seconds. */
  readonly now: number;
}

/** The way in which nodes call an operation. */
export interface NodeCase {
  /** Returns a request in JSON about the objects of `named`; about none if the operation names none. */
  request(sending: Sending): JsonObject;
  /** The list field of the request whose items may name objects of both sides. */
  readonly list?: string;
  /**
   * The effect of a request about own objects: it `returns` texts of the side, `stores` data that an admin sees, or `serves`
   * what belongs to neither side.
   */
  readonly effect: "returns" | "stores" | "serves";
  /** The paths of id fields that name no object which a node can misuse, with the reason. */
  readonly ignored?: Readonly<Record<string, string>>;
}

const json = (value: unknown) => btoa(JSON.stringify(value));
const nothing = () => ({});
const ofFile = (file: (stored: StoredFile) => JsonObject): NodeCase => ({
  request: ({ caller, named }) => file(caller === named ? named.publicFile : named.privateFile),
  effect: "returns",
});
/** A report of a node about itself, which claims to be that of the named node. */
function ofItself(body: (sending: Sending) => JsonObject, named?: [field: string, role: NodeRole]): NodeCase {
  const request = (sending: Sending) => {
    return named === undefined
      ? body(sending)
      : { ...body(sending), [named[0]]: Number(sending.named.callers[named[1]].id) };
  };
  return { request, effect: "stores" };
}
const status = ({ serial }: Sending) => ({
  statusJSON: json({ isActive: true, hostname: `host-${serial}`, cpuUsage: serial }),
});
const connected = ({ named, serial }: Sending) => ({ apiNodeIds: [named.apiNodeId, 1000 + serial] });
const feed: NodeCase = { request: nothing, effect: "returns" };
const program = { os: "linux", arch: "amd64" };

/** The cases by the name of the operation. */
export const cases: Readonly<Record<string, NodeCase>> = {
  findAllEnabledAPINodes: { request: nothing, effect: "serves" },

  findACMEAuthenticationKeyWithToken: { request: () => ({ token: "unknown" }), effect: "serves" },

  findEnabledFile: ofFile(({ fileId }) => ({ fileId })),
  findAllFileChunkIds: { ...ofFile(({ fileId }) => ({ fileId })), effect: "serves" },
  downloadFileChunk: ofFile(({ fileChunkId }) => ({ fileChunkId })),

  createHTTPAccessLogs: {
    request: ({ named, serial, now }) => {
      const { serverId, originId } = named;
      const nodeId = Number(named.callers.node.id);
      const requestId = `${now}000${1_000_000 + serial}`;
      return { httpAccessLogs: [{ requestId, serverId, nodeId, originId, requestURI: `/${named.marker}` }] };
    },
    list: "httpAccessLogs",
    effect: "stores",
    ignored: {
      "httpAccessLogs.requestId": "of the request itself",
      "httpAccessLogs.node": "replaced by the server",
      "httpAccessLogs.locationId": "part of the site's configuration",
      "httpAccessLogs.rewriteId": "part of the site's configuration",
      "httpAccessLogs.firewallPolicyId": "part of the site's configuration",
      "httpAccessLogs.firewallRuleGroupId": "part of the site's configuration",
      "httpAccessLogs.firewallRuleSetId": "part of the site's configuration",
      "httpAccessLogs.firewallRuleId": "part of the site's configuration",
    },
  },

  findCurrentNodeConfig: { ...feed, request: () => ({ version: -1 }) },
  updateNodeStatus: ofItself(status, ["nodeId", "node"]),
  updateNodeConnectedAPINodes: ofItself(connected),

  createNodeLogs: {
    request: ({ role, caller, named, serial }) => {
      const { serverId, originId, marker } = named;
      const log = {
        ...{ role: "node", nodeId: Number(named.callers.node.id), level: "error", tag: marker },
        description: `log ${serial}`,
      };
      // DNS nodes and report nodes serve no site.
      return { nodeLogs: role !== "node" && caller === named ? [log] : [{ ...log, serverId }, { ...log, originId }] };
    },
    list: "nodeLogs",
    effect: "stores",
    ignored: { "nodeLogs.id": "assigned by the server" },
  },

  listNSDomainsAfterVersion: feed,
  listNSKeysAfterVersion: { ...feed, effect: "serves" },
  listNSRecordsAfterVersion: feed,
  listNSRoutesAfterVersion: feed,

  updateNSRecordIsUp: {
    request: ({ caller, named }) => ({ nsRecordId: named.nsRecordId, isUp: caller === named }),
    effect: "serves",
  },
  listNSDNSSECKeysAfterVersion: { ...feed, effect: "serves" },
  listNSDNSSECKeysOfDomains: {
    request: ({ named }) => ({ nsDomainIds: [Number(named.nsDomainId)] }),
    effect: "serves",
  },

  compareNSFeedVersions: { ...feed, effect: "serves" },
  listNSZonesAfterVersion: { ...feed, effect: "serves" },
  listNSZoneChanges: {
    request: ({ named }) => ({ positions: [{ nsDomainId: Number(named.nsDomainId), version: 0 }] }),
    effect: "returns",
  },

  uploadNSRecordHourlyStats: {
    request: ({ named, now }) => ({
      stats: [{
        ...{ nsClusterId: named.nsClusterId, nsNodeId: Number(named.callers.dns.id), nsDomainId: named.nsDomainId },
        ...{ nsRecordId: named.nsRecordId, bytes: 1, countRequests: 1, createdAt: now },
      }],
    }),
    list: "stats",
    effect: "stores",
    ignored: {
      "domainStats.nsDomainId": "test/plugins/ns_record_hourly_stat uploads those of another cluster",
      uploadId: "a name that the node chooses",
    },
  },

  updateNSNodeStatus: ofItself(status, ["nodeId", "dns"]),
  findCurrentNSNodeConfig: feed,
  checkNodeLatestVersion: { request: () => ({ ...program, currentVersion: "1.0.0" }), effect: "serves" },
  downloadNodeInstallationFile: { request: () => ({ ...program, chunkOffset: 0 }), effect: "serves" },
  checkNSNodeLatestVersion: { request: () => ({ ...program, currentVersion: "1.0.0" }), effect: "serves" },
  downloadNSNodeInstallationFile: { request: () => ({ ...program, chunkOffset: 0 }), effect: "serves" },
  updateNSNodeConnectedAPINodes: ofItself(connected),
  findNSNodeDDoSProtection: {
    request: ({ named }) => ({ nsNodeId: Number(named.callers.dns.id) }),
    effect: "returns",
  },
  findNSNodeAPIConfig: { request: ({ named }) => ({ nsNodeId: Number(named.callers.dns.id) }), effect: "returns" },

  updateReportNodeStatus: ofItself(status),
  findCurrentReportNodeConfig: { request: nothing, effect: "serves" },
  findReportNodeTasks: { request: nothing, effect: "serves" },
  updateReportResults: {
    request: ({ caller, named, serial }) => ({
      reportResults: [{
        ...{ type: "ipAddr", targetId: caller === named ? named.measuredId : named.unmeasuredId, costMs: serial },
        ...{ reportNodeId: Number(named.callers.report.id), isOk: true },
      }],
    }),
    list: "reportResults",
    effect: "stores",
    ignored: { "reportResults.id": "assigned by the server" },
  },

  composeServerConfig: { request: ({ named }) => ({ serverId: named.serverId }), effect: "returns" },

  uploadServerDailyStats: {
    request: ({ named, now }) => ({
      stats: [{
        ...{ serverId: named.serverId, userId: Number(named.user.id), nodeRegionId: named.nodeRegionId },
        ...{ bytes: 1, countRequests: 1, createdAt: now },
      }],
    }),
    list: "stats",
    effect: "stores",
    ignored: { "stats.planId": "has no effect", domainStats: "not stored" },
  },
};

/** Returns the message that a node sends over its stream, by the name of the operation. */
export const streamed: Readonly<Record<string, (named: Side) => JsonObject>> = {
  nodeStream: (named) => ({ nodeId: Number(named.callers.node.id), requestId: 1, isOk: true }),
  nsNodeStream: (named) => ({ nsNodeId: Number(named.callers.dns.id), requestId: 1, isOk: true }),
  reportNodeStream: (named) => ({ reportNodeId: Number(named.callers.report.id), requestId: 1, isOk: true }),
};
