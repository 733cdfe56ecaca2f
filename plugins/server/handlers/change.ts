import { type Call, choiceField, type Handlers, idField, invalid, listField, ownerOf, textField } from "edgehelm";
import { refuseWhenUsed } from "edgehelm/rows";
import { actsForInstallation } from "../claims.ts";
import { checkListener, checkNames, checkNodes, checkProxy } from "../config.ts";
import { errors } from "../errors.ts";
import { requireClaimable } from "../names.ts";
import { requirePorts } from "../ports.ts";
import { SERVER_NAMES, SERVERS } from "../quota.ts";
import { familyOf, type Listener, LISTENERS, requireListener, TYPES } from "../rules.ts";
import type { ServerService } from "../proto/service_server_pb.ts";
import type { Deps } from "./deps.ts";

const EMPTY = new Uint8Array();
const MAX_DESCRIPTION_LENGTH = 1000;

/** The operations that create, change and delete servers. */
export function changeHandlers({ servers, sites, placement, features, related, uses }: Deps) {
  async function setListener(call: Call, serverId: bigint, listener: Listener, bytes: Uint8Array) {
    const row = await sites.require(call, serverId);
    const checked = checkListener(listener, bytes);
    if (checked === undefined) return {};
    requireListener(row.type, listener);
    await sites.requirePolicyOf(call, listener, checked, row.userId);
    await requirePorts(call, servers, row, listener, checked, row[listener]);
    await features.requirePorts(call, row, listener, checked, row[listener]);
    await sites.change(call, row, { [listener]: checked });
    return {};
  }

  async function setName(call: Call, serverId: bigint, name: string) {
    const row = await sites.require(call, serverId);
    await sites.change(call, row, { name: textField("name", name, { min: 1 }) });
    return {};
  }

  async function remove(call: Call, ids: readonly bigint[]) {
    const rows = [];
    for (const id of ids) {
      const row = await sites.require(call, id);
      await refuseWhenUsed(call, id, uses, (users) => errors.in_use(id, users));
      rows.push(row);
    }
    await sites.remove(call, rows);
    return {};
  }

  async function requireQuotas(call: Call, userId: bigint, countNames: number): Promise<void> {
    const { quotas } = related;
    const owner = { userId };
    await quotas?.require(call, SERVERS, userId, 1, async () => (await servers.countOfUser.one(call, owner)).count);
    const names = async () => (await servers.countNames.one(call, owner)).count;
    await quotas?.require(call, SERVER_NAMES, userId, countNames, names);
  }

  return {
    async createServer(request, call) {
      const type = choiceField("type", request.type, TYPES);
      requireNoGroups(request.serverGroupIds);
      const requestedNames = request.serverNamesJSON.length > 0 ? request.serverNamesJSON : request.serverNamesJON;
      const { names, serverNamesJSON } = checkNames("serverNamesJSON", requestedNames, namesRule(call)) ??
        { names: [], serverNamesJSON: new TextEncoder().encode("[]") };
      const proxy = checkProxy(request.reverseProxyJSON) ?? { reverseProxyJSON: EMPTY, reverseProxyId: 0n };
      const listeners = (Object.keys(LISTENERS) as Listener[]).map((listener) => {
        const checked = checkListener(listener, request[listener]);
        if (checked !== undefined) requireListener(type, listener);
        return [listener, checked ?? EMPTY] as const;
      });
      const userId = ownerOf(call, request.userId);
      const nodes = {
        includeNodesJSON: checkNodes("includeNodesJSON", request.includeNodesJSON),
        excludeNodesJSON: checkNodes("excludeNodesJSON", request.excludeNodesJSON),
      };
      const nodeClusterId = await placement.clusterFor(call, { ...request, ...nodes }, userId);
      for (const [listener, checked] of listeners) {
        await sites.requirePolicyOf(call, listener, checked, userId);
        await requirePorts(call, servers, { id: 0n, nodeClusterId }, listener, checked);
        await features.requirePorts(call, { ...request, id: 0n }, listener, checked);
      }
      await requireQuotas(call, userId, names.length);
      const serverId = await sites.create(call, {
        userId,
        nodeClusterId,
        userPlanId: request.userPlanId,
        webId: request.webId,
        type,
        family: familyOf(type),
        name: textField("name", request.name) || (names[0] ?? type),
        description: textField("description", request.description, { max: MAX_DESCRIPTION_LENGTH }),
        countServerNames: BigInt(names.length),
        firstServerName: names[0] ?? "",
        serverNamesJSON,
        ...Object.fromEntries(listeners) as Record<Listener, Uint8Array>,
        ...proxy,
        ...nodes,
      }, names);
      return { serverId };
    },

    async updateServerBasic({ serverId, serverGroupIds, nodeClusterId, ...request }, call) {
      const row = await sites.require(call, serverId);
      requireNoGroups(serverGroupIds);
      const name = textField("name", request.name, { min: 1 });
      const description = textField("description", request.description, { max: MAX_DESCRIPTION_LENGTH });
      await sites.change(call, row, { name, description });
      if (request.isOn !== (row.isOn === 1n)) await sites.turn(call, row, request.isOn);
      if (nodeClusterId !== 0n) await sites.move(call, row, nodeClusterId);
      return {};
    },

    async updateServerIsOn({ serverId, isOn }, call) {
      await sites.turn(call, await sites.require(call, serverId), isOn);
      return {};
    },

    updateServerHTTP: ({ serverId, httpJSON }, call) => setListener(call, serverId, "httpJSON", httpJSON),
    updateServerHTTPS: ({ serverId, httpsJSON }, call) => setListener(call, serverId, "httpsJSON", httpsJSON),
    updateServerTCP: ({ serverId, tcpJSON }, call) => setListener(call, serverId, "tcpJSON", tcpJSON),
    updateServerTLS: ({ serverId, tlsJSON }, call) => setListener(call, serverId, "tlsJSON", tlsJSON),
    updateServerUDP: ({ serverId, udpJSON }, call) => setListener(call, serverId, "udpJSON", udpJSON),

    async updateServerReverseProxy({ serverId, reverseProxyJSON }, call) {
      const row = await sites.require(call, serverId);
      const proxy = checkProxy(reverseProxyJSON);
      if (proxy === undefined) return {};
      await sites.requireProxy(call, proxy.reverseProxyId, row.userId);
      await sites.change(call, row, proxy);
      return {};
    },

    async updateServerNames({ serverId, serverNamesJSON }, call) {
      const requested = async (current: Call) => {
        const row = await sites.require(current, serverId);
        const rule = namesRule(current, await sites.names(current, row));
        return { row, checked: checkNames("serverNamesJSON", serverNamesJSON, rule) };
      };
      const { row, checked } = await requested(call);
      if (checked === undefined) return {};
      const proved = await sites.provedNames(call, row, checked);
      await call.transact(async (inner) => {
        const { row, checked } = await requested(inner);
        await sites.rename(inner, row, checked!, proved);
      });
      return {};
    },

    async updateServerUserPlan({ serverId, userPlanId }, call) {
      const row = await sites.require(call, serverId);
      await sites.requireReference(call, "user_plan", "userPlanId", userPlanId, row.userId);
      await placement.requirePlanFor(call, userPlanId, row.nodeClusterId);
      if (userPlanId !== row.userPlanId) {
        await sites.requireRoom(call, "userPlanId", { ...row, userPlanId });
        await features.requirePlan(call, "userPlanId", row, userPlanId);
      }
      await sites.change(call, row, { userPlanId });
      return {};
    },

    async updateServerUser({ serverId, userId }, call) {
      const row = await sites.require(call, serverId);
      if (userId !== row.userId) await sites.transfer(call, row, userId);
      return {};
    },

    updateServerName: ({ serverId, name }, call) => setName(call, serverId, name),
    updateEnabledUserServerBasic: ({ serverId, name }, call) => setName(call, serverId, name),

    deleteServer: ({ serverId }, call) => remove(call, [idField("serverId", serverId)]),
    deleteServers: ({ serverIds }, call) => remove(call, [...new Set(listField("serverIds", serverIds, idField))]),
  } satisfies Partial<Handlers<typeof ServerService>>;
}

/** Returns the check of requested names. A user may keep names that only admins may add. */
function namesRule(call: Call, current: readonly string[] = []) {
  const kept = new Set(current);
  return (path: string, name: string) => {
    if (!actsForInstallation(call) && !kept.has(name)) requireClaimable(path, name);
  };
}

function requireNoGroups(serverGroupIds: readonly bigint[]): void {
  if (serverGroupIds.length > 0) throw invalid("serverGroupIds", "must be empty: groups of servers are not supported");
}
