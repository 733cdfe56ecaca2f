import {
  type Call,
  callerId,
  type Clock,
  containing,
  daysField,
  type Handlers,
  idField,
  idOrNoneField,
  invalid,
  listField,
  numberField,
  type Page,
  pageOf,
  unixSeconds,
  wordField,
} from "edgehelm";
import type { NodeLogCluster } from "./contract.ts";
import { LEVELS, levelsField, paramsField, roleField } from "./rules.ts";
import type { DeleteNodeLogsRequest, NodeLog, NodeLogService } from "./service_node_log_pb.ts";
import type { Filter, NodeLogRow, NodeLogStore } from "./store.ts";
import type { NewLog, NodeLogChanges } from "./store_changes.ts";
import { hashed, writeLogs } from "./writer.ts";

export interface Parts {
  readonly logs: NodeLogStore;
  readonly changes: NodeLogChanges;
  readonly clock: Clock;
  /** Who knows the nodes of clusters, by role. */
  readonly clusters: () => readonly NodeLogCluster[];
}

type Question = Omit<DeleteNodeLogsRequest, "$typeName" | "$unknown" | "offset" | "size">;

const MAX_DESCRIPTION = 1000;
const MAX_WORD = 100;
const REMOVED_AT_ONCE = 1000n;
/** Skipping more than this is left to a reader beside the event loop. */
const DEEP_OFFSET = 1000n;

export function nodeLogHandlers(parts: Parts): Handlers<typeof NodeLogService> {
  const { logs, changes, clock, clusters } = parts;

  /** A log as it is kept: a node writes as itself, and nothing happens in the future. */
  function newLog(call: Call, field: string, log: NodeLog): Omit<NewLog, "hash"> {
    const now = unixSeconds(clock);
    const { role } = call.caller;
    const isNode = role === "node" || role === "dns" || role === "report";
    return {
      role: isNode ? role : roleField(`${field}.role`, log.role),
      nodeId: isNode ? callerId(call.caller) : idOrNoneField(`${field}.nodeId`, log.nodeId),
      serverId: idOrNoneField(`${field}.serverId`, log.serverId),
      originId: idOrNoneField(`${field}.originId`, log.originId),
      level: wordField(`${field}.level`, log.level, LEVELS),
      tag: log.tag.trim().slice(0, MAX_WORD),
      type: log.type.trim().slice(0, MAX_WORD),
      description: log.description.slice(0, MAX_DESCRIPTION),
      paramsJSON: paramsField(`${field}.paramsJSON`, log.paramsJSON),
      createdAt: log.createdAt > 0n && log.createdAt < now ? log.createdAt : now,
    };
  }

  async function nodesOf(call: Call, role: string, clusterId: bigint): Promise<readonly bigint[]> {
    const keeper = clusters().find((one) => one.role === role);
    if (keeper === undefined) throw invalid("nodeClusterId", `nodes of the role "${role}" are in no cluster`);
    return await keeper.nodesOf(call, clusterId);
  }

  async function filterOf(call: Call, request: Question): Promise<Filter> {
    const clusterId = idOrNoneField("nodeClusterId", request.nodeClusterId);
    const asked = request.role.trim() === "" ? "" : roleField("role", request.role);
    const role = asked === "" && clusterId > 0n ? "node" : asked;
    const levels = levelsField("level", request.level);
    const keyword = request.keyword.trim();
    const tag = request.tag.trim();
    return {
      role,
      nodeId: idOrNoneField("nodeId", request.nodeId),
      byNodes: clusterId > 0n ? 1n : 0n,
      nodeIds: clusterId > 0n ? [...await nodesOf(call, role, clusterId)] : [],
      serverId: idOrNoneField("serverId", request.serverId),
      originId: idOrNoneField("originId", request.originId),
      allServers: request.allServers ? 1n : 0n,
      byLevels: levels.length > 0 ? 1n : 0n,
      levels,
      ...daysField(request),
      pattern: keyword === "" ? "" : containing(keyword),
      tagPattern: tag === "" ? "" : containing(tag),
      isUnread: request.isUnread,
      fixedState: numberField("fixedState", request.fixedState, { max: 2 }),
    };
  }

  const matching = ({ isUnread }: Filter) => isUnread ? logs.unread : logs.all;

  async function list(call: Call, request: Question, page: Page): Promise<NodeLogRow[]> {
    const filter = await filterOf(call, request);
    if (asksMore(request)) return await matching(filter).page.scan(call, { ...filter, ...page });
    const of = { ...filter, ...page };
    const isDeep = page.offset > DEEP_OFFSET;
    if (filter.nodeId > 0n) return await (isDeep ? logs.pageOfNode.scan(call, of) : logs.pageOfNode.all(call, of));
    if (filter.role !== "") return await (isDeep ? logs.pageOfRole.scan(call, of) : logs.pageOfRole.all(call, of));
    return await (isDeep ? logs.page.scan(call, page) : logs.page.all(call, page));
  }

  return {
    async createNodeLogs({ nodeLogs }, call) {
      const newLogs = await hashed(listField("nodeLogs", nodeLogs, (field, log) => newLog(call, field, log)));
      if (newLogs.length > 0) await call.transact((inner) => writeLogs(inner, parts, newLogs));
      return {};
    },

    async countNodeLogs(request, call) {
      const filter = await filterOf(call, request);
      if (!asksMore(request)) return await logs.count.one(call, filter);
      const { count, countDifferent } = matching(filter);
      return { count: (await (filter.fixedState === 0 ? count : countDifferent).scan(call, filter))[0]!.count };
    },

    async listNodeLogs(request, call) {
      return { nodeLogs: (await list(call, request, pageOf(request))).map(logMessage) };
    },

    async fixNodeLogs({ nodeLogIds }, call) {
      const hashes = await logs.hashes.all(call, { ids: listField("nodeLogIds", nodeLogIds, idField) });
      await changes.fix.run(call, { hashes: hashes.map(({ hash }) => hash) });
      return {};
    },

    async fixAllNodeLogs(_request, call) {
      await changes.fixAll.run(call, {});
      return {};
    },

    async countAllUnreadNodeLogs(_request, call) {
      return { count: (await logs.marks.one(call, {})).unread };
    },

    async updateNodeLogsRead({ nodeLogIds, nodeId, role }, call) {
      const ids = listField("nodeLogIds", nodeLogIds, idField);
      if (ids.length > 0) await changes.read.run(call, { ids });
      if (idOrNoneField("nodeId", nodeId) > 0n) {
        await changes.readOfNode.run(call, { nodeId, role: roleField("role", role) });
      }
      return {};
    },

    async updateAllNodeLogsRead(_request, call) {
      await changes.readAll.run(call, {});
      return {};
    },

    async deleteNodeLogs(request, call) {
      const { offset, size } = pageOf(request, { defaultSize: 0n });
      const filter = await filterOf(call, request);
      const page = { offset, size: size === 0n ? REMOVED_AT_ONCE : size };
      for (;;) {
        const found = await matching(filter).ids.scan(call, { ...filter, ...page });
        const ids = found.map(({ id }) => id);
        if (ids.length > 0) await call.transact((inner) => changes.remove.run(inner, { ids }));
        if (size > 0n || ids.length < Number(page.size)) return {};
      }
    },
  };
}

/** Whether a request asks for more than a node or a role. */
function asksMore(request: Question): boolean {
  if (request.nodeId !== 0n && request.role.trim() === "") return true;
  const { dayFrom, dayTo, keyword, level, tag, isUnread, allServers, fixedState } = request;
  const isNamed = [request.serverId, request.originId, request.nodeClusterId].some((id) => id !== 0n);
  return isNamed || isUnread || allServers || fixedState !== 0 ||
    [dayFrom, dayTo, keyword, level, tag].some((text) => text.trim() !== "");
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
