import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, distinct, invalid, jsonBytes, jsonField, mayAccessOwner } from "edgehelm";
import { durationJSON } from "edgehelm/fields";
import type { Referrer } from "edgehelm/rows";
import { jsonListField } from "edgehelm/wire";
import { type OriginConfigSchema, OriginRefSchema } from "edgehelm/proto/shapes/origin_pb.js";
import type { Origins } from "../origin/contract.ts";
import type { Servers } from "../server/contract.ts";
import type { ReverseProxies } from "./contract.ts";
import { OriginSchedulingSchema, ProxyProtocolSchema, ReverseProxyConfigSchema } from "./proto/shapes_pb.ts";
import type { ReverseProxyRow, ReverseProxyStore } from "./store.ts";

type OriginConfigs = ReadonlyMap<bigint, MessageInitShape<typeof OriginConfigSchema>>;

/** A limit above the number of sites of one proxy. */
const MAX_SITES = 100_000;

/** Reads and deletes proxies, resolves their origins, and notifies the sites that use them. */
export class Proxies implements ReverseProxies {
  readonly #store: ReverseProxyStore;
  readonly #origins: Origins;
  readonly #servers: Servers | undefined;

  constructor(store: ReverseProxyStore, origins: Origins, servers: Servers | undefined) {
    this.#store = store;
    this.#origins = origins;
    this.#servers = servers;
  }

  /** Deletes proxies; their origins are kept. */
  async remove(call: Call, ids: bigint[]): Promise<void> {
    await this.#store.removeAll.run(call, { ids });
    await this.#store.unlink.run(call, { ids });
  }

  async requireOwned(call: Call, field: string, id: bigint): Promise<void> {
    if (await this.#store.find(call, id) === undefined) throw invalid(field, `reverse proxy ${id} does not exist`);
  }

  async configs(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, Uint8Array>> {
    const rows = await this.#store.byIds.all(call, { ids: [...ids] });
    const origins = await this.#origins.configs(call, [...new Set(rows.flatMap(originsOf))]);
    return new Map(rows.map((row) => [row.id, jsonBytes(ReverseProxyConfigSchema, proxyConfig(call, row, origins))]));
  }

  /** Returns which of the origins belong to proxies of sites about which the caller may report. */
  async originsServedByCaller(call: Call, originIds: readonly bigint[]): Promise<ReadonlyMap<bigint, undefined>> {
    const links = await this.#store.linksOf.all(call, { originIds: [...originIds] });
    const proxyIds = distinct(links.map(({ reverseProxyId }) => reverseProxyId));
    const served = await this.#servers?.proxiesServedByCaller(call, proxyIds);
    return new Map(
      links.filter((link) => served?.has(link.reverseProxyId)).map(({ originId }) => [originId, undefined]),
    );
  }

  /** Marks the sites of the proxies for update. */
  async changed(call: Call, ids: readonly bigint[]): Promise<void> {
    const siteIds = new Set<bigint>();
    for (const id of ids) {
      for (const site of await this.#servers?.usingReverseProxy(call, id, MAX_SITES) ?? []) siteIds.add(site.id);
    }
    if (siteIds.size > 0) await this.#servers?.configChanged(call, [...siteIds]);
  }

  /** Marks the sites of proxies that use the origins for update. */
  async originsChanged(call: Call, originIds: readonly bigint[]): Promise<void> {
    const rows = await this.#store.withOrigins.all(call, { originIds: [...originIds] });
    await this.changed(call, rows.map(({ reverseProxyId }) => reverseProxyId));
  }
}

/** Returns the origin references of a proxy. */
export function refs(row: ReverseProxyRow, kind: "primary" | "backup") {
  return jsonListField(`${kind}OriginsJSON`, row[`${kind}OriginsJSON`], OriginRefSchema) ?? [];
}

/** Returns the ids of the origins of a proxy. */
export function originsOf(row: ReverseProxyRow): bigint[] {
  return [...refs(row, "primary"), ...refs(row, "backup")].map(({ originId }) => originId);
}

/** Reports the proxies that sites use. */
export function siteReferrer(servers: Servers): Referrer {
  return {
    referredFor: (call, ids, userId) => servers.proxiesOnSitesOf(call, ids, userId),
    referredByOthers: (call, ids, userId) => servers.proxiesOnSitesOfOthers(call, ids, userId),
  };
}

function proxyConfig(
  call: Call,
  row: ReverseProxyRow,
  origins: OriginConfigs,
): MessageInitShape<typeof ReverseProxyConfigSchema> {
  const primaryOriginRefs = refs(row, "primary");
  const backupOriginRefs = refs(row, "backup");
  const expand = (originRefs: typeof primaryOriginRefs) =>
    originRefs.flatMap(({ originId }) => origins.get(originId) ?? []);
  const { code = "", options } = jsonField("schedulingJSON", row.schedulingJSON, OriginSchedulingSchema) ?? {};
  const connTimeout = durationJSON("connTimeoutJSON", row.connTimeoutJSON);
  const readTimeout = durationJSON("readTimeoutJSON", row.readTimeoutJSON);
  const idleTimeout = durationJSON("idleTimeoutJSON", row.idleTimeoutJSON);
  const proxyProtocol = jsonField("proxyProtocolJSON", row.proxyProtocolJSON, ProxyProtocolSchema);
  return {
    id: row.id,
    isOn: row.isOn === 1n,
    primaryOrigins: expand(primaryOriginRefs),
    primaryOriginRefs,
    backupOrigins: expand(backupOriginRefs),
    backupOriginRefs,
    scheduling: { code: code === "" ? "random" : code, ...(options && { options }) },
    ...(connTimeout && { connTimeout }),
    ...(readTimeout && { readTimeout }),
    ...(idleTimeout && { idleTimeout }),
    maxConns: Number(row.maxConns),
    maxIdleConns: Number(row.maxIdleConns),
    stripPrefix: row.stripPrefix,
    requestHostType: Number(row.requestHostType),
    requestHost: mayAccessOwner(call.caller, row.userId) ? row.requestHost : "",
    requestURI: row.requestURI,
    requestHostExcludingPort: row.requestHostExcludingPort === 1n,
    retry50X: row.retry50X === 1n,
    retry40X: row.retry40X === 1n,
    addHeaders: JSON.parse(row.addHeaders) as string[],
    autoFlush: row.autoFlush === 1n,
    ...(proxyProtocol && { proxyProtocol }),
    followRedirects: row.followRedirects === 1n,
  };
}
