import { type Clock, type Handlers, pageOf, unixSeconds, type UseCheck } from "edgehelm";
import { refuseWhenUsed } from "edgehelm/rows";
import { jsonListBytes } from "edgehelm/wire";
import type { Users } from "../user/contract.ts";
import { completeConfig, summaryConfig } from "./certificates.ts";
import { errors } from "./errors.ts";
import { filterOf } from "./filter.ts";
import type { PrivateKeys } from "./keys.ts";
import type { SSLCertRegistry } from "./registry.ts";
import type { SSLCertService } from "./proto/service_ssl_cert_pb.ts";
import { SSLCertConfigSchema } from "./proto/shapes_pb.ts";
import type { SSLCertLists } from "./store_lists.ts";
import type { SSLCertStore } from "./store.ts";

const NULL_JSON = new TextEncoder().encode("null");

export interface Deps {
  readonly store: SSLCertStore;
  readonly lists: SSLCertLists;
  readonly registry: SSLCertRegistry;
  /** Undefined if the installation hides keys. */
  readonly visibleKeys: PrivateKeys | undefined;
  readonly users: Users | undefined;
  readonly uses: readonly UseCheck[];
  readonly clock: Clock;
}

export function sslCertHandlers(
  { store, lists, registry, visibleKeys, users, uses, clock }: Deps,
): Handlers<typeof SSLCertService> {
  return {
    async createSSLCert(request, call) {
      const [sslCertId] = await registry.create(call, request.userId, [{ path: "", ...request }]);
      return { sslCertId: sslCertId! };
    },

    async createSSLCerts({ SSLCerts: certificates, userId }, call) {
      const requests = certificates.map((request, index) => ({ ...request, path: `SSLCerts[${index}].` }));
      return { sslCertIds: await registry.create(call, userId, requests) };
    },

    async updateSSLCert(request, call) {
      await registry.update(call, request.sslCertId, request);
      return {};
    },

    async deleteSSLCert({ sslCertId }, call) {
      const { id } = await store.require(call, "sslCertId", sslCertId);
      await refuseWhenUsed(call, id, uses, (names) => errors.in_use(id, names));
      await registry.remove(call, [id]);
      return {};
    },

    async findEnabledSSLCertConfig({ sslCertId }, call) {
      const row = await store.find(call, sslCertId);
      return row === undefined
        ? { sslCertJSON: NULL_JSON }
        : { sslCertJSON: await completeConfig(call, store, visibleKeys, row) };
    },

    async countSSLCerts(request, call) {
      return { count: await lists.count(call, filterOf(call, request, unixSeconds(clock))) };
    },

    async listSSLCerts(request, call) {
      const rows = await lists.page(call, filterOf(call, request, unixSeconds(clock)), pageOf(request));
      return { sslCertsJSON: jsonListBytes(SSLCertConfigSchema, rows.map(summaryConfig)) };
    },

    async findSSLCertUser({ sslCertId }, call) {
      const row = await store.byId.first(call, { id: sslCertId });
      if (row === undefined || row.userId === 0n) return {};
      const user = (await users?.nested(call, [row.userId]))?.get(row.userId);
      return user === undefined ? {} : { user };
    },
  };
}
