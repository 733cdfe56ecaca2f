import {
  type Call,
  type Handlers,
  idField,
  invalid,
  listField,
  mayAccessOwner,
  numberField,
  pageOf,
  unixSeconds,
} from "edgehelm";
import { idOrNoneField } from "edgehelm/fields";
import { containing } from "edgehelm/storage";
import { loginMessage, messagesToUsers, nodeMessages } from "../messages.ts";
import { stateField } from "../rules.ts";
import type {
  CountAllEnabledNodesMatchRequest,
  ListEnabledNodesMatchRequest,
  NodeService,
} from "../proto/service_node_pb.ts";
import { ACTIVE_SECONDS } from "../status.ts";
import { type Filter, type Sort, SORTS } from "../store.ts";
import type { NodeRow } from "../store_tables.ts";
import type { Deps } from "./deps.ts";

type FindOperations =
  | "findEnabledNode"
  | "findEnabledBasicNode"
  | "findEnabledNodesWithIds"
  | "findAllEnabledNodesWithNodeClusterId"
  | "countAllEnabledNodes"
  | "countAllEnabledNodesMatch"
  | "listEnabledNodesMatch"
  | "countAllEnabledNodesWithNodeGrantId"
  | "findAllEnabledNodesWithNodeGrantId"
  | "countAllEnabledNodesWithNodeRegionId"
  | "countAllNotInstalledNodesWithNodeClusterId"
  | "findAllNotInstalledNodesWithNodeClusterId"
  | "countAllNodeRegionInfo"
  | "listNodeRegionInfo";

/** The maximum number of nodes that a keyword finds by their addresses. */
const MAX_FOUND_BY_ADDRESS = 1000;

/** Implements the operations that find, list and count nodes. */
export function findHandlers(deps: Deps): Pick<Handlers<typeof NodeService>, FindOperations> {
  const { nodes, secrets, clusters, addressSources, clock } = deps;

  async function nodesResponse(call: Call, rows: readonly NodeRow[]) {
    return { nodes: await nodeMessages(call, deps, rows) };
  }

  async function filterOf(
    call: Call,
    request: CountAllEnabledNodesMatchRequest | ListEnabledNodesMatchRequest,
  ): Promise<Filter | undefined> {
    if (request.nodeGroupId !== 0n) throw invalid("nodeGroupId", `node group ${request.nodeGroupId} does not exist`);
    const keyword = request.keyword.trim();
    const filter = {
      nodeClusterId: idOrNoneField("nodeClusterId", request.nodeClusterId),
      nodeRegionId: idOrNoneField("nodeRegionId", request.nodeRegionId),
      level: numberField("level", request.level),
      installState: stateField("installState", request.installState),
      activeState: stateField("activeState", request.activeState),
    };
    const isEmpty = keyword === "" && Object.values(filter).every((value) => Number(value) === 0);
    if (isEmpty) return undefined;
    const sources = keyword === "" ? [] : addressSources;
    const ids = await Promise.all(sources.map((source) => source.nodesWith(call, keyword, MAX_FOUND_BY_ADDRESS)));
    const activeSince = unixSeconds(clock) - ACTIVE_SECONDS;
    return { ...filter, activeSince, pattern: keyword === "" ? "" : containing(keyword), idsByAddress: ids.flat() };
  }

  return {
    async findEnabledNode({ nodeId }, call) {
      const row = await nodes.byId.first(call, { id: nodeId });
      if (row === undefined) return {};
      const [node] = await nodeMessages(call, deps, [row]);
      const login = await nodes.loginOf.first(call, { nodeId });
      const secret = await secrets.open(row.uniqueId, row.secret);
      return { node: { ...node, secret, ...(login && { nodeLogin: loginMessage(login) }) } };
    },

    async findEnabledBasicNode({ nodeId }, call) {
      const row = await nodes.byId.first(call, { id: nodeId });
      if (row === undefined) return {};
      const { id, name, level } = row;
      const nodeCluster = (await clusters.nested(call, [row.nodeClusterId])).get(row.nodeClusterId);
      const node = { id, name, isOn: row.isOn === 1n, isUp: row.isUp === 1n, level: Number(level) };
      return { node: { ...node, ...(nodeCluster && { nodeCluster }) } };
    },

    async findEnabledNodesWithIds({ nodeIds }, call) {
      const ids = listField("nodeIds", nodeIds, idField);
      const rows = new Map((await nodes.byIds.all(call, { ids })).map((row) => [row.id, row]));
      return await nodesResponse(call, ids.flatMap((id) => rows.get(id) ?? []));
    },

    async findAllEnabledNodesWithNodeClusterId({ nodeClusterId: clusterId, includeSecondary }, call) {
      const list = includeSecondary ? nodes.inCluster : nodes.ofPrimaryCluster;
      if (mayAccessOwner(call.caller, 0n)) return await nodesResponse(call, await list.all(call, { clusterId }));
      if (!await clusters.isOpenToCaller(call, clusterId)) return { nodes: [] };
      return { nodes: await messagesToUsers(call, addressSources, await list.all(call, { clusterId })) };
    },

    countAllEnabledNodes: (_request, call) => nodes.count.one(call, {}),

    async countAllEnabledNodesMatch(request, call) {
      const filter = await filterOf(call, request);
      if (filter === undefined) return await nodes.count.one(call, {});
      return { count: (await nodes.countMatching.scan(call, filter))[0]!.count };
    },

    async listEnabledNodesMatch(request, call) {
      const page = pageOf(request);
      const filter = await filterOf(call, request);
      const sort = sortOf(request);
      if (filter === undefined && sort === undefined) {
        return await nodesResponse(call, await nodes.page.all(call, page));
      }
      const list = sort === undefined ? nodes.pageMatching : nodes.pageSorted[sort];
      return await nodesResponse(call, await list.scan(call, { ...NO_FILTER, ...filter, ...page }));
    },

    countAllEnabledNodesWithNodeGrantId: ({ nodeGrantId: grantId }, call) =>
      nodes.countWithGrant.one(call, { grantId: idField("nodeGrantId", grantId) }),
    async findAllEnabledNodesWithNodeGrantId({ nodeGrantId }, call) {
      const grantId = idField("nodeGrantId", nodeGrantId);
      return await nodesResponse(call, await nodes.withGrant.all(call, { grantId }));
    },

    countAllEnabledNodesWithNodeRegionId: ({ nodeRegionId: regionId }, call) =>
      nodes.countOfRegion.one(call, { regionId }),

    countAllNotInstalledNodesWithNodeClusterId: ({ nodeClusterId: clusterId }, call) =>
      nodes.countNotInstalled.one(call, { clusterId }),
    async findAllNotInstalledNodesWithNodeClusterId({ nodeClusterId: clusterId }, call) {
      return await nodesResponse(call, await nodes.notInstalled.all(call, { clusterId }));
    },

    countAllNodeRegionInfo: ({ nodeRegionId: regionId }, call) =>
      regionId === 0n ? nodes.count.one(call, {}) : nodes.countOfRegion.one(call, { regionId }),
    async listNodeRegionInfo(request, call) {
      const page = pageOf(request);
      const { nodeRegionId: regionId } = request;
      const rows = regionId === 0n
        ? await nodes.page.all(call, page)
        : await nodes.pageOfRegion.all(call, { ...page, regionId });
      const infoList = await nodeMessages(call, deps, rows);
      return {
        infoList: infoList.map(({ id, name, nodeRegion, nodeCluster }) => ({
          id,
          name,
          ...(nodeRegion && { nodeRegion }),
          ...(nodeCluster && { nodeCluster }),
        })),
      };
    },
  };
}

const NO_FILTER: Filter = {
  nodeClusterId: 0n,
  nodeRegionId: 0n,
  level: 0,
  installState: 0,
  activeState: 0,
  activeSince: 0n,
  pattern: "",
  idsByAddress: [],
};

/** Returns the first sort flag that the request sets. */
function sortOf(request: ListEnabledNodesMatchRequest): `${Sort}${"Asc" | "Desc"}` | undefined {
  for (const sort of Object.keys(SORTS) as Sort[]) {
    for (const name of [`${sort}Asc`, `${sort}Desc`] as const) if (request[name]) return name;
  }
  return undefined;
}
