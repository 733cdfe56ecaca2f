import { definePlugin, optional, type Plugin } from "edgehelm";
import { Secrets } from "edgehelm/auth";
import { userRemoval, UserRemovals, Users } from "../user/contract.ts";
import { UserQuotaDeclarations, UserQuotas } from "../user_quota/contract.ts";
import { certificatesContract } from "./certificates.ts";
import { errors } from "./errors.ts";
import { SSLCertSettingsSchema } from "./proto/config_pb.ts";
import { SSLCertListeners, SSLCertReferrers, SSLCerts, SSLCertUses } from "./contract.ts";
import { sslCertHandlers } from "./handlers.ts";
import { PrivateKeys } from "./keys.ts";
import * as createSSLCerts from "./migrations/0001_create_ssl_certs.ts";
import * as addACMETask from "./migrations/0002_add_acme_task.ts";
import manifest from "./plugin.json" with { type: "json" };
import { CERTIFICATES } from "./quota.ts";
import { SSLCertRegistry } from "./registry.ts";
import { SSLCertService } from "./proto/service_ssl_cert_pb.ts";
import { sslCertLists } from "./store_lists.ts";
import { sslCertStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_ssl_certs": createSSLCerts, "0002_add_acme_task": addACMETask },
  config: SSLCertSettingsSchema,
  sealed: [{
    table: "sslCertFiles",
    column: "sealedKey",
    row: "(select fingerprint from sslCerts where sslCerts.id = sslCertId)",
  }],
  requires: { secrets: Secrets, users: optional(Users), quotas: optional(UserQuotas) },
  setup({ db, config, clock, deps: { secrets, users, quotas }, serve, provide, contribute, contributions }) {
    const store = sslCertStore(db<Tables>(), contributions(SSLCertReferrers));
    const lists = sslCertLists(db<Tables>());
    const keys = new PrivateKeys(secrets);
    const listeners = contributions(SSLCertListeners);
    const registry = new SSLCertRegistry({ store, keys, users, quotas, listeners, clock });
    const visibleKeys = config.hideKeys ? undefined : keys;
    const uses = contributions(SSLCertUses);
    serve(SSLCertService, sslCertHandlers({ store, lists, registry, visibleKeys, users, uses, clock }));
    provide(SSLCerts, certificatesContract(store, keys, registry));
    contribute(UserQuotaDeclarations, CERTIFICATES);
    contribute(UserRemovals, userRemoval(store.someOfUser, (call, ids) => registry.remove(call, ids)));
  },
});
export default plugin;
