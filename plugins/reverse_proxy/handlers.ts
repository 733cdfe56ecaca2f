import { type Call, type Handlers, idField, jsonBytes, numberField, ownerOf, textField } from "edgehelm";
import { durationJSON, orUnchanged } from "edgehelm/fields";
import type { Origins } from "../origin/contract.ts";
import type { UserQuotas } from "../user_quota/contract.ts";
import { errors } from "./errors.ts";
import { REVERSE_PROXIES } from "./quota.ts";
import { type Proxies, refs } from "./proxies.ts";
import { headersField, originRefsJSON, proxyProtocolJSON, requestHostFields, schedulingJSON } from "./rules.ts";
import type { ReverseProxyService } from "./proto/service_reverse_proxy_pb.ts";
import { OriginSchedulingSchema } from "./proto/shapes_pb.ts";
import type { ReplacedColumn, ReverseProxyRow, ReverseProxyStore } from "./store.ts";

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
  async function requireProxy(call: Call, reverseProxyId: bigint): Promise<ReverseProxyRow> {
    const id = idField("reverseProxyId", reverseProxyId);
    const row = await proxies.find(call, id);
    if (row === undefined) throw errors.not_found(id);
    return row;
  }

  /** Checks the origins of a request. Origins that the proxy already has are allowed regardless of their owner. */
  async function checkOrigins(call: Call, field: string, json: Uint8Array, row?: ReverseProxyRow): Promise<void> {
    const current = row === undefined ? [] : [...refs(row, "primary"), ...refs(row, "backup")];
    const requested = originRefsJSON(field, json) ?? [];
    const added = requested.filter(({ originId }) => current.every((ref) => ref.originId !== originId));
    if (added.length > 0) await origins.requireOwned(call, added);
  }

  async function relink(call: Call, id: bigint): Promise<void> {
    const row = await store.byId.first(call, { id });
    await store.unlink.defer(call, { ids: [id] });
    if (row === undefined) return;
    for (const { originId } of [...refs(row, "primary"), ...refs(row, "backup")]) {
      await store.link.defer(call, { reverseProxyId: id, originId });
    }
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
      await checkOrigins(call, "primaryOriginsJSON", request.primaryOriginsJSON);
      await checkOrigins(call, "backupOriginsJSON", request.backupOriginsJSON);
      const userId = ownerOf(call, 0n);
      const count = async () => (await store.countOfUser.one(call, { userId })).count;
      await quotas?.require(call, REVERSE_PROXIES, userId, 1, count);
      const { id } = await store.insert.one(call, {
        userId,
        schedulingJSON: orUnchanged(request.schedulingJSON, RANDOM),
        primaryOriginsJSON: orUnchanged(request.primaryOriginsJSON, NO_ORIGINS),
        backupOriginsJSON: orUnchanged(request.backupOriginsJSON, NO_ORIGINS),
        addHeaders: JSON.stringify(ADDED_HEADERS),
      });
      await relink(call, id);
      return { reverseProxyId: id };
    },

    async findEnabledReverseProxy({ reverseProxyId }, call) {
      const row = await proxies.find(call, reverseProxyId);
      if (row === undefined) return {};
      const { id, schedulingJSON: scheduling, primaryOriginsJSON, backupOriginsJSON } = row;
      return { reverseProxy: { id, schedulingJSON: scheduling, primaryOriginsJSON, backupOriginsJSON } };
    },

    async findEnabledReverseProxyConfig({ reverseProxyId }, call) {
      const row = await proxies.find(call, reverseProxyId);
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
      await checkOrigins(call, "originsJSON", originsJSON, row);
      return await replace(call, row.id, "primaryOriginsJSON", originsJSON);
    },

    async updateReverseProxyBackupOrigins({ reverseProxyId, originsJSON }, call) {
      const row = await requireProxy(call, reverseProxyId);
      await checkOrigins(call, "originsJSON", originsJSON, row);
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
