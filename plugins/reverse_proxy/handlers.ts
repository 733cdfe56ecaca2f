import { type Call, type Handlers, invalid, jsonBytes, numberField, ownerOf, textField } from "edgehelm";
import { durationJSON, orUnchanged } from "edgehelm/fields";
import type { Origins } from "../origin/contract.ts";
import type { UserQuotas } from "../user_quota/contract.ts";
import { REVERSE_PROXIES } from "./quota.ts";
import { originsOf, type Proxies } from "./proxies.ts";
import { headersField, originRefsJSON, proxyProtocolJSON, requestHostFields, schedulingJSON } from "./rules.ts";
import type { ReverseProxyService } from "./proto/service_reverse_proxy_pb.ts";
import { OriginSchedulingSchema } from "./proto/shapes_pb.ts";
import type { ReplacedColumn, ReverseProxyStore } from "./store.ts";

const ADDED_HEADERS = ["X-Real-IP", "X-Forwarded-For", "X-Forwarded-By", "X-Forwarded-Host", "X-Forwarded-Proto"];
const RANDOM = jsonBytes(OriginSchedulingSchema, { code: "random" });
const NO_ORIGINS = new TextEncoder().encode("[]");
/** Clients of this API check for this value if the proxy does not exist. */
const NULL = new TextEncoder().encode("null");

export function reverseProxyHandlers(
  store: ReverseProxyStore,
  proxies: Proxies,
  origins: Origins,
  quotas: UserQuotas | undefined,
): Handlers<typeof ReverseProxyService> {
  const requireProxy = (call: Call, id: bigint) => store.require(call, "reverseProxyId", id);

  /** Checks the origins that a request adds to a proxy of the owner. */
  async function checkOrigins(
    call: Call,
    field: string,
    json: Uint8Array,
    userId: bigint,
    current: readonly bigint[],
  ): Promise<void> {
    const added = (originRefsJSON(field, json) ?? []).filter(({ originId }) => !current.includes(originId));
    await origins.take(call, added.map(({ field, originId }) => ({ field, id: originId })), { userId });
  }

  async function relink(call: Call, id: bigint): Promise<void> {
    const row = await store.byId.first(call, { id });
    await store.unlink.defer(call, { ids: [id] });
    if (row === undefined) return;
    for (const originId of originsOf(row)) await store.link.defer(call, { reverseProxyId: id, originId });
  }

  async function replace(call: Call, id: bigint, column: ReplacedColumn, json: Uint8Array): Promise<object> {
    if (json.length === 0) return {};
    await store.replace[column].run(call, { id, json });
    if (column !== "schedulingJSON") await relink(call, id);
    await proxies.changed(call, [id]);
    return {};
  }

  return {
    async createReverseProxy(request, call) {
      schedulingJSON("schedulingJSON", request.schedulingJSON);
      const userId = ownerOf(call, 0n);
      if (request.isShared && userId !== 0n) throw invalid("isShared", "must be false: only admins share proxies");
      await checkOrigins(call, "primaryOriginsJSON", request.primaryOriginsJSON, userId, []);
      await checkOrigins(call, "backupOriginsJSON", request.backupOriginsJSON, userId, []);
      const count = async () => (await store.countOfUser.one(call, { userId })).count;
      await quotas?.require(call, REVERSE_PROXIES, userId, 1, count);
      const { id } = await store.insert.one(call, {
        userId,
        isShared: request.isShared,
        schedulingJSON: orUnchanged(request.schedulingJSON, RANDOM),
        primaryOriginsJSON: orUnchanged(request.primaryOriginsJSON, NO_ORIGINS),
        backupOriginsJSON: orUnchanged(request.backupOriginsJSON, NO_ORIGINS),
        addHeaders: JSON.stringify(ADDED_HEADERS),
      });
      await relink(call, id);
      return { reverseProxyId: id };
    },

    async findEnabledReverseProxy({ reverseProxyId }, call) {
      const row = await store.find(call, reverseProxyId);
      if (row === undefined) return {};
      const { id, schedulingJSON: scheduling, primaryOriginsJSON, backupOriginsJSON } = row;
      return { reverseProxy: { id, schedulingJSON: scheduling, primaryOriginsJSON, backupOriginsJSON } };
    },

    async findEnabledReverseProxyConfig({ reverseProxyId }, call) {
      const row = await store.find(call, reverseProxyId);
      const configs = row === undefined ? undefined : await proxies.configs(call, [row.id]);
      return { reverseProxyJSON: configs?.get(reverseProxyId) ?? NULL };
    },

    async updateReverseProxyScheduling({ reverseProxyId, schedulingJSON: json }, call) {
      const { id } = await requireProxy(call, reverseProxyId);
      schedulingJSON("schedulingJSON", json);
      return await replace(call, id, "schedulingJSON", json);
    },

    async updateReverseProxyPrimaryOrigins({ reverseProxyId, originsJSON }, call) {
      const row = await requireProxy(call, reverseProxyId);
      await checkOrigins(call, "originsJSON", originsJSON, row.userId, originsOf(row));
      return await replace(call, row.id, "primaryOriginsJSON", originsJSON);
    },

    async updateReverseProxyBackupOrigins({ reverseProxyId, originsJSON }, call) {
      const row = await requireProxy(call, reverseProxyId);
      await checkOrigins(call, "originsJSON", originsJSON, row.userId, originsOf(row));
      return await replace(call, row.id, "backupOriginsJSON", originsJSON);
    },

    async updateReverseProxy(request, call) {
      const row = await requireProxy(call, request.reverseProxyId);
      for (const timeout of ["connTimeoutJSON", "readTimeoutJSON", "idleTimeoutJSON"] as const) {
        durationJSON(timeout, request[timeout]);
      }
      proxyProtocolJSON("proxyProtocolJSON", request.proxyProtocolJSON);
      await store.update.run(call, {
        id: row.id,
        ...requestHostFields(request.requestHostType, request.requestHost),
        requestURI: textField("requestURI", request.requestURI, { max: 1000 }),
        stripPrefix: textField("stripPrefix", request.stripPrefix),
        requestHostExcludingPort: request.requestHostExcludingPort,
        retry50X: request.retry50X,
        retry40X: request.retry40X,
        addHeaders: JSON.stringify(headersField("addHeaders", request.addHeaders)),
        autoFlush: request.autoFlush,
        connTimeoutJSON: orUnchanged(request.connTimeoutJSON, row.connTimeoutJSON),
        readTimeoutJSON: orUnchanged(request.readTimeoutJSON, row.readTimeoutJSON),
        idleTimeoutJSON: orUnchanged(request.idleTimeoutJSON, row.idleTimeoutJSON),
        maxConns: numberField("maxConns", request.maxConns),
        maxIdleConns: numberField("maxIdleConns", request.maxIdleConns),
        proxyProtocolJSON: orUnchanged(request.proxyProtocolJSON, row.proxyProtocolJSON),
        followRedirects: request.followRedirects,
      });
      await proxies.changed(call, [row.id]);
      return {};
    },
  };
}
