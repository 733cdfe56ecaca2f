import {
  type Call,
  callerId,
  choiceField,
  type Handlers,
  idField,
  listField,
  ownerOf,
  pageOf,
  textField,
} from "edgehelm";
import { errors } from "../errors.ts";
import { type Detail, serverMessages } from "../messages.ts";
import { coversName, serverName, wildcardsFor } from "../names.ts";
import { FAMILY_NAMES } from "../rules.ts";
import type { ServerService } from "../proto/service_server_pb.ts";
import type { ServerRow } from "../store.ts";
import type { Deps } from "./deps.ts";

const MAX_OF_USER = 10_000n;
const FULL: Detail = { settings: true, names: true };
const BASIC: Detail = { settings: false, names: false };
const UNSUPPORTED_ORDERS = [
  "trafficOutAsc",
  "trafficOutDesc",
  "requestsAsc",
  "requestsDesc",
  "attackRequestsAsc",
  "attackRequestsDesc",
] as const;

/** The operations that find, list and count servers. */
export function findHandlers({ servers, list, sites, composer, related }: Deps) {
  async function serverResponse(call: Call, serverId: bigint, detail: Detail) {
    const row = await sites.find(call, serverId);
    const [server] = await serverMessages(call, related, row === undefined ? [] : [row], detail);
    return { server };
  }

  async function composeConfig(call: Call, row: ServerRow | undefined): Promise<Uint8Array> {
    const [config = "null"] = await composer.compose(call, row === undefined ? [] : [row]);
    return new TextEncoder().encode(config);
  }

  return {
    findEnabledServer: ({ serverId }, call) => serverResponse(call, serverId, FULL),
    findEnabledUserServerBasic: ({ serverId }, call) => serverResponse(call, serverId, BASIC),

    async findEnabledServerConfig({ serverId }, call) {
      return { serverJSON: await composeConfig(call, await sites.find(call, serverId)) };
    },

    async composeServerConfig({ serverId }, call) {
      const row = await sites.find(call, serverId);
      const isServed = row !== undefined && await composer.isServedBy(call, row, callerId(call.caller));
      return { serverConfigJSON: await composeConfig(call, isServed ? row : undefined) };
    },

    async findEnabledServerType({ serverId }, call) {
      return { type: (await sites.find(call, serverId))?.type ?? "" };
    },

    async checkUserServer({ serverId }, call) {
      await sites.require(call, serverId);
      return {};
    },

    async findServerNames({ serverId }, call) {
      const row = await sites.find(call, serverId);
      const auditingServerNamesJSON = new TextEncoder().encode("[]");
      return { serverNamesJSON: row?.serverNamesJSON ?? auditingServerNamesJSON, auditingServerNamesJSON };
    },

    async countServerNames({ serverId }, call) {
      return { count: (await sites.find(call, serverId))?.countServerNames ?? 0n };
    },

    async checkServerNameInServer(request, call) {
      const row = await sites.find(call, request.serverId);
      const name = serverName("serverName", request.serverName);
      return { exists: row !== undefined && coversName(await sites.names(call, row), name) };
    },

    async checkServerNameDuplicationInNodeCluster({ nodeClusterId, excludeServerId, ...request }, call) {
      const names = listField("serverNames", request.serverNames, serverName);
      const covering = new Map(names.map((name) => [name, request.supportWildcard ? wildcardsFor(name) : []]));
      const candidates = [...new Set([...names, ...[...covering.values()].flat()])];
      const isOpen = await related.clusters?.isOpenToCaller(call, nodeClusterId) ?? true;
      const found = isOpen ? await servers.usedNames.all(call, { nodeClusterId, names: candidates }) : [];
      // whose a name is stays unknown: a user excludes own servers only
      const excluded = (await sites.find(call, excludeServerId))?.id;
      const taken = new Set(found.filter(({ serverId }) => serverId !== excluded).map(({ name }) => name));
      const isTaken = (name: string) => taken.has(name) || covering.get(name)!.some((wildcard) => taken.has(wildcard));
      return { duplicatedServerNames: names.filter(isTaken) };
    },

    async countAllEnabledServersMatch(request, call) {
      const filter = filterOf(call, request);
      return { count: filter === undefined ? 0n : await list.count(call, filter) };
    },

    async listEnabledServersMatch(request, call) {
      const page = pageOf(request);
      const order = UNSUPPORTED_ORDERS.find((field) => request[field]);
      if (order !== undefined) throw errors.cannot_sort(order);
      const filter = filterOf(call, { ...request, userPlanId: 0n });
      const rows = filter === undefined ? [] : await list.page(call, filter, page);
      const detail = { settings: true, names: !request.ignoreServerNames };
      return { servers: await serverMessages(call, related, rows, detail) };
    },

    async countAllEnabledServersWithNodeClusterId({ nodeClusterId }, call) {
      return { count: await list.count(call, { nodeClusterId: idField("nodeClusterId", nodeClusterId) }) };
    },

    async findLatestServers({ size }, call) {
      const page = pageOf({ size }, { maxSize: 100n });
      const rows = await list.page(call, { userId: ownerOf(call, 0n) }, page);
      return { servers: await serverMessages(call, related, rows, BASIC) };
    },

    async findAllUserServers({ userId }, call) {
      const filter = { userId: idField("userId", ownerOf(call, userId)) };
      const rows = await list.page(call, filter, { offset: 0n, size: MAX_OF_USER });
      return { servers: await serverMessages(call, related, rows, BASIC) };
    },

    async countAllUserServers({ userId, userPlanId }, call) {
      return { count: await list.count(call, { userId: idField("userId", ownerOf(call, userId)), userPlanId }) };
    },

    async findAllEnabledServerNamesWithUserId({ userId }, call) {
      const owner = { userId: idField("userId", ownerOf(call, userId)), limit: MAX_OF_USER };
      return { serverNames: (await servers.namesOfUser.all(call, owner)).map(({ name }) => name) };
    },

    async countAllServerNamesWithUserId({ userId, userPlanId }, call) {
      const owner = idField("userId", ownerOf(call, userId));
      if (userPlanId === 0n) return await servers.countNames.one(call, { userId: owner });
      return await servers.countNamesOfPlan.one(call, { userId: owner, userPlanId });
    },
  } satisfies Partial<Handlers<typeof ServerService>>;
}

interface ListRequest {
  readonly userId: bigint;
  readonly nodeClusterId: bigint;
  readonly userPlanId: bigint;
  readonly keyword: string;
  readonly serverGroupId: bigint;
  readonly auditingFlag: number;
  readonly protocolFamily: string;
}

/** Returns the filter of a request, or undefined if no server can match. */
function filterOf(call: Call, request: ListRequest) {
  const { nodeClusterId, userPlanId, serverGroupId, auditingFlag, protocolFamily } = request;
  const family = protocolFamily === "" ? "" : choiceField("protocolFamily", protocolFamily, FAMILY_NAMES);
  const keyword = textField("keyword", request.keyword, { max: 1000 }).toLowerCase();
  // groups and reviews of server names are not supported
  if (serverGroupId !== 0n || auditingFlag === 1) return undefined;
  return { userId: ownerOf(call, request.userId), nodeClusterId, userPlanId, family, keyword };
}
