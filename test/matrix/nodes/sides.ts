import { as, type TestCaller } from "edgehelm/testing";
import type { World } from "../world.ts";

/** The nodes of a side by the role of their tokens. */
export type NodeRole = "node" | "dns" | "report";

/** Half of an installation: clusters with their nodes, and what these serve. Nothing of it belongs to the other half. */
export interface Side {
  /** Letters that occur in every text of the side. */
  readonly marker: string;
  readonly callers: Readonly<Record<NodeRole, TestCaller>>;
  readonly user: TestCaller;
  readonly nodeRegionId: number;
  readonly serverId: number;
  readonly nsClusterId: number;
  readonly nsDomainId: number;
  /** A record whose address is checked. */
  readonly nsRecordId: number;
  readonly originId: number;
  readonly apiNodeId: number;
  /** A file that only its owner and admins can read. */
  readonly privateFile: StoredFile;
  /** A finished file that is public. */
  readonly publicFile: StoredFile;
  /** An address that report nodes measure. */
  readonly measuredId: number;
  /** An address that they do not measure. */
  readonly unmeasuredId: number;
}

export interface StoredFile {
  readonly fileId: number;
  readonly fileChunkId: number;
}

/** Makes a call with JSON and returns the data of its response, which must be a success. */
// deno-lint-ignore no-explicit-any -- each operation has its own shape of data
export async function ask({ edgehelm }: World, caller: TestCaller, path: string, body: object = {}): Promise<any> {
  const { code, message, data } = await edgehelm.post(`/${path}`, body, caller);
  if (code !== 200) throw new Error(`${path}: ${code} ${message}`);
  return data;
}

/** Creates a side for a user. */
export async function createSide(world: World, user: TestCaller, marker: string): Promise<Side> {
  const post = (path: string, body: object = {}) => ask(world, world.admin, path, body);
  const userId = Number(user.id);
  const { nodeRegionId } = await post("NodeRegionService/createNodeRegion", { name: marker });
  const { nodeClusterId } = await post("NodeClusterService/createNodeCluster", { name: marker });
  const { nodeId } = await post("NodeService/createNode", { name: marker, nodeClusterId, nodeRegionId });
  const address = { nodeId, role: "node", isUp: true };
  const addressOf = async (ip: string, canAccess: boolean) =>
    (await post("NodeIPAddressService/createNodeIPAddress", { ...address, ip, name: marker, canAccess }))
      .nodeIPAddressId;

  const addr = { protocol: "http", host: "192.0.2.80", portRange: "80" };
  const { originId } = await ask(world, user, "OriginService/createOrigin", { name: marker, addr, isOn: true });
  const primaryOriginsJSON = json([{ isOn: true, originId }]);
  const { reverseProxyId } = await ask(world, user, "ReverseProxyService/createReverseProxy", { primaryOriginsJSON });
  const { serverId } = await post("ServerService/createServer", {
    ...{ userId, type: "httpProxy", name: marker, nodeClusterId },
    serverNamesJSON: json([{ name: `www.${marker}.example` }]),
    reverseProxyJSON: json({ isOn: true, reverseProxyId }),
  });

  const hosts = [`ns.${marker}.example`];
  const { nsClusterId } = await post("NSClusterService/createNSCluster", { name: marker, hosts });
  const { nsNodeId } = await post("NSNodeService/createNSNode", { name: marker, nodeClusterId: nsClusterId });
  const allowIPList = [{ ip: "192.0.2.7", description: marker }];
  const protection = { tcp: { isOn: true, isPrior: true, allowIPList } };
  await post("NSNodeService/updateNSNodeDDoSProtection", { nsNodeId, ddosProtectionJSON: json(protection) });
  const apiNodeAddrsJSON = json([{ protocol: "http", host: `api.${marker}.example`, portRange: "80" }]);
  await post("NSNodeService/updateNSNodeAPIConfig", { nsNodeId, apiNodeAddrsJSON });
  const domain = { name: `${marker}.example`, nsClusterId, userId };
  const { nsDomainId } = await post("NSDomainService/createNSDomain", domain);
  await post("NSRecordService/createNSRecord", { nsDomainId, name: "www", type: "TXT", value: marker });
  const checked = { nsDomainId, name: "checked", type: "A", value: "192.0.2.9" };
  const { nsRecordId } = await post("NSRecordService/createNSRecord", checked);
  const nsRecordHealthCheckJSON = json({ isOn: true });
  await post("NSRecordService/updateNSRecordHealthCheck", { nsRecordId, nsRecordHealthCheckJSON });
  const key = { nsDomainId, name: `key.${marker}.example`, algo: "hmac-sha256.", secretType: "base64" };
  await post("NSKeyService/createNSKey", key);
  const rangesJSON = json([{ type: "cidr", params: { cidr: "192.0.2.0/24" } }]);
  await post("NSRouteService/createNSRoute", { name: `${marker} of the cluster`, rangesJSON, nsClusterId });
  await post("NSRouteService/createNSRoute", { name: `${marker} of the domain`, rangesJSON, nsDomainId });

  const { reportNodeId } = await post("ReportNodeService/createReportNode", { name: marker });
  const { apiNodeId } = await post("APINodeService/createAPINode", { name: "api", isOn: true });
  const fileOf = async (isPublic: boolean): Promise<StoredFile> => {
    const file = { filename: `${marker}.txt`, size: marker.length, isPublic };
    const { fileId } = await ask(world, user, "FileService/createFile", file);
    const { fileChunkId } = await post("FileChunkService/createFileChunk", { fileId, data: btoa(marker) });
    await post("FileService/updateFileFinished", { fileId });
    return { fileId, fileChunkId };
  };
  return {
    ...{ marker, user, nodeRegionId, nsClusterId, nsDomainId, nsRecordId, serverId, originId, apiNodeId },
    callers: { node: as.node(BigInt(nodeId)), dns: as.dns(BigInt(nsNodeId)), report: as.report(BigInt(reportNodeId)) },
    privateFile: await fileOf(false),
    publicFile: await fileOf(true),
    measuredId: await addressOf("192.0.2.1", true),
    unmeasuredId: await addressOf("192.0.2.2", false),
  };
}

/** Returns what nodes can change about a side, as an admin sees it. */
export async function snapshotOf(world: World, side: Side, today: string): Promise<string> {
  const post = (path: string, body: object) => ask(world, world.admin, path, body);
  const { nsDomainId, nsRecordId, serverId, originId, callers } = side;
  const [nodeId, nsNodeId, reportNodeId] = [callers.node, callers.dns, callers.report].map(({ id }) => Number(id));
  const logs = { size: 1000 };
  const all = [
    post("NodeService/findEnabledNode", { nodeId }),
    post("NSNodeService/findNSNode", { nsNodeId }),
    post("NSRecordService/findNSRecord", { nsRecordId: side.nsRecordId }),
    post("ReportNodeService/findEnabledReportNode", { reportNodeId }),
    post("NodeLogService/listNodeLogs", { serverId, ...logs }),
    post("NodeLogService/listNodeLogs", { originId, allServers: true, ...logs }),
    post("NodeLogService/listNodeLogs", { nodeId, role: "node", ...logs }),
    post("NodeLogService/listNodeLogs", { nodeId: nsNodeId, role: "dns", ...logs }),
    post("NodeLogService/listNodeLogs", { nodeId: reportNodeId, role: "report", ...logs }),
    post("NSRecordHourlyStatService/sumNSDomainStats", { nsDomainId }),
    post("NSRecordHourlyStatService/findLatestNSRecordsHourlyStats", { nsRecordId }),
    post("ServerDailyStatService/findServerDailyStatsBetweenDays", { serverId, dayFrom: today, dayTo: today }),
    post("HTTPAccessLogService/listHTTPAccessLogs", { serverId, day: today, ...logs }),
    post("HTTPAccessLogService/listHTTPAccessLogs", { nodeId, day: today, ...logs }),
    post("ReportResultService/listReportResults", { reportNodeId, ...logs }),
    post("ReportResultService/findAllReportResults", { type: "ipAddr", targetId: side.unmeasuredId }),
  ];
  return JSON.stringify(await Promise.all(all), null, 1);
}

function json(value: unknown): string {
  return btoa(JSON.stringify(value));
}
