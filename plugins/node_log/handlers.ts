import {
  type Call,
  choiceField,
  type Clock,
  type Handlers,
  idField,
  invalid,
  listField,
  numberField,
  pageOf,
  unixSeconds,
} from "edgehelm";
import { daysField, idOrNoneField } from "edgehelm/fields";
import { nodeCaller, uploadTimeField, type UploadTimes, uploadTimes } from "../node_base/contract.ts";
import type { NodeLogCluster } from "./contract.ts";
import { LEVELS, levelsField, paramsField, roleField } from "./rules.ts";
import type { DeleteNodeLogsRequest, NodeLog, NodeLogService } from "./proto/service_node_log_pb.ts";
import { CHUNK_SIZE, inChunks } from "./retention.ts";
import type { Filter, NodeLogRow, NodeLogStore } from "./store.ts";
import type { NewLog, NodeLogChanges } from "./store_changes.ts";
import type { NodeLogLists } from "./store_lists.ts";
import { ownLogs, type SubjectDeps } from "./subjects.ts";
import { hashed, writeLogs } from "./writer.ts";

/** The dependencies of the handlers. */
export interface Deps extends SubjectDeps {
  readonly logs: NodeLogStore;
  readonly changes: NodeLogChanges;
  readonly lists: NodeLogLists;
  readonly clock: Clock;
  /** Returns the suppliers of the nodes of clusters, one per role. */
  readonly clusters: () => readonly NodeLogCluster[];
  /** The number of days before today of which nodes can write logs. */
  readonly pastDays: number;
}

type FilterRequest = Omit<DeleteNodeLogsRequest, "$typeName" | "$unknown" | "offset" | "size">;

const MAX_DESCRIPTION_LENGTH = 1000;
/** The maximum length of tags and types. */
const MAX_LABEL_LENGTH = 100;
/** Matches all logs. */
const NO_FILTER: Filter = {
  role: "",
  nodeId: 0n,
  byNodes: false,
  nodeIds: [],
  serverId: 0n,
  originId: 0n,
  allServers: false,
  byLevels: false,
  levels: [],
  ...daysField({ dayFrom: "", dayTo: "" }),
  keyword: "",
  tag: "",
  isUnread: false,
  fixedState: 0,
};

/** Implements every operation of the service. */
export function nodeLogHandlers(deps: Deps): Handlers<typeof NodeLogService> {
  const { logs, changes, lists, clock, clusters, pastDays } = deps;

  /** Checks a log. The role and the id of a calling node and the current time override what the log contains. */
  function newLog(call: Call, field: string, log: NodeLog, times: UploadTimes): Omit<NewLog, "hash"> {
    const node = nodeCaller(call);
    return {
      role: node?.role ?? roleField(`${field}.role`, log.role),
      nodeId: node?.nodeId ?? idOrNoneField(`${field}.nodeId`, log.nodeId),
      serverId: idOrNoneField(`${field}.serverId`, log.serverId),
      originId: idOrNoneField(`${field}.originId`, log.originId),
      level: choiceField(`${field}.level`, log.level, LEVELS),
      tag: log.tag.trim().slice(0, MAX_LABEL_LENGTH),
      type: log.type.trim().slice(0, MAX_LABEL_LENGTH),
      description: log.description.slice(0, MAX_DESCRIPTION_LENGTH),
      paramsJSON: paramsField(`${field}.paramsJSON`, log.paramsJSON),
      createdAt: timeOf(`${field}.createdAt`, log.createdAt, times),
    };
  }

  /** Returns the time of a log; the current time takes the place of a missing one and of one in the future. */
  function timeOf(field: string, createdAt: bigint, times: UploadTimes): bigint {
    const now = unixSeconds(clock);
    if (createdAt <= 0n || createdAt >= now) return now;
    uploadTimeField(field, Number(createdAt), createdAt, times);
    return createdAt;
  }

  async function nodesOf(call: Call, role: string, clusterId: bigint): Promise<readonly bigint[]> {
    const supplier = clusters().find((cluster) => cluster.role === role);
    if (supplier === undefined) throw invalid("nodeClusterId", `nodes of the role "${role}" have no clusters`);
    return await supplier.nodesOf(call, clusterId);
  }

  async function filterOf(call: Call, request: FilterRequest): Promise<Filter> {
    const clusterId = idOrNoneField("nodeClusterId", request.nodeClusterId);
    const requestedRole = request.role.trim() === "" ? "" : roleField("role", request.role);
    const role = requestedRole === "" && clusterId > 0n ? "node" : requestedRole;
    const levels = levelsField("level", request.level);
    return {
      role,
      nodeId: idOrNoneField("nodeId", request.nodeId),
      byNodes: clusterId > 0n,
      nodeIds: clusterId > 0n ? [...await nodesOf(call, role, clusterId)] : [],
      serverId: idOrNoneField("serverId", request.serverId),
      originId: idOrNoneField("originId", request.originId),
      allServers: request.allServers,
      byLevels: levels.length > 0,
      levels,
      ...daysField(request),
      keyword: request.keyword.trim(),
      tag: request.tag.trim(),
      isUnread: request.isUnread,
      fixedState: numberField("fixedState", request.fixedState, { max: 2 }),
    };
  }

  return {
    async createNodeLogs({ nodeLogs }, call) {
      const times = uploadTimes(call, clock, pastDays);
      const checked = listField("nodeLogs", nodeLogs, (field, log) => newLog(call, field, log, times));
      const newLogs = await hashed(await ownLogs(call, deps, checked));
      if (newLogs.length > 0) await call.transact((inner) => writeLogs(inner, deps, newLogs));
      return {};
    },

    async countNodeLogs(request, call) {
      return { count: await lists.count(call, await filterOf(call, request)) };
    },

    async listNodeLogs(request, call) {
      const ids = await lists.ids(call, await filterOf(call, request), pageOf(request));
      return { nodeLogs: (await logs.byIds.all(call, { ids })).map(logMessage) };
    },

    async fixNodeLogs({ nodeLogIds }, call) {
      const rows = await logs.hashes.all(call, { ids: listField("nodeLogIds", nodeLogIds, idField) });
      const hashes = rows.map(({ hash }) => hash);
      await inChunks(call, (inner, limit) => logs.unfixed.all(inner, { hashes, limit }), changes.markFixed);
      return {};
    },

    async fixAllNodeLogs(_request, call) {
      await changes.markAllFixed.run(call, { newestId: (await logs.newestId.one(call, {})).id });
      return {};
    },

    async countAllUnreadNodeLogs(_request, call) {
      return { count: await lists.count(call, { ...NO_FILTER, isUnread: true }) };
    },

    async updateNodeLogsRead({ nodeLogIds, nodeId, role }, call) {
      const ids = listField("nodeLogIds", nodeLogIds, idField);
      const node = { nodeId: idOrNoneField("nodeId", nodeId), role: nodeId === 0n ? "" : roleField("role", role) };
      if (ids.length > 0) await call.transact((inner) => changes.markRead(inner, ids));
      if (node.nodeId > 0n) {
        await inChunks(call, (inner, limit) => logs.unreadOfNode.all(inner, { ...node, limit }), changes.markRead);
      }
      return {};
    },

    async updateAllNodeLogsRead(_request, call) {
      await changes.markAllRead.run(call, { newestId: (await logs.newestId.one(call, {})).id });
      return {};
    },

    async deleteNodeLogs(request, call) {
      const { offset, size } = pageOf(request, { defaultSize: 0n });
      const filter = await filterOf(call, request);
      let remaining = size === 0n ? undefined : size;
      for (;;) {
        const batchSize = remaining === undefined || remaining > CHUNK_SIZE ? BigInt(CHUNK_SIZE) : remaining;
        const ids = await lists.ids(call, filter, { offset, size: batchSize });
        await call.transact((inner) => changes.delete(inner, ids));
        if (remaining !== undefined) remaining -= BigInt(ids.length);
        if (ids.length < Number(batchSize) || remaining === 0n) return {};
      }
    },
  };
}

function logMessage(row: NodeLogRow) {
  return {
    id: row.id,
    role: row.role,
    tag: row.tag,
    description: row.description,
    level: row.level,
    nodeId: row.nodeId,
    createdAt: row.createdAt,
    count: Number(row.count),
    serverId: row.serverId,
    isFixed: row.isFixed === 1n,
    originId: row.originId,
    isRead: row.isRead === 1n,
    paramsJSON: new TextEncoder().encode(row.paramsJSON),
    type: row.type,
  };
}
