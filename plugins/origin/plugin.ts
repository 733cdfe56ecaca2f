import { definePlugin, optional, type Plugin } from "edgehelm";
import { Secrets } from "edgehelm/auth";
import { SSLCertListeners, SSLCertReferrers, SSLCerts, SSLCertUses } from "../ssl_cert/contract.ts";
import { UserRemovals } from "../user/contract.ts";
import { UserQuotaDeclarations, UserQuotas } from "../user_quota/contract.ts";
import { AddressPolicy } from "./address_policy.ts";
import { certificateListener, certificateUses } from "./certificates.ts";
import { OriginListeners, OriginReferrers, Origins } from "./contract.ts";
import { errors } from "./errors.ts";
import { originHandlers } from "./handlers.ts";
import * as createOrigins from "./migrations/0001_create_origins.ts";
import { originsContract } from "./origins.ts";
import manifest from "./plugin.json" with { type: "json" };
import { OriginSettingsSchema } from "./proto/config_pb.ts";
import { OriginService } from "./proto/service_origin_pb.ts";
import { ORIGINS } from "./quota.ts";
import { Storages } from "./storages.ts";
import { originStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_origins": createOrigins },
  config: OriginSettingsSchema,
  sealed: [{ table: "origins", column: "sealedOSS", row: "id" }],
  requires: { secrets: Secrets, certificates: optional(SSLCerts), quotas: optional(UserQuotas) },
  setup({ db, config, deps: { secrets, certificates, quotas }, serve, provide, contribute, contributions }) {
    const origins = originStore(db<Tables>(), contributions(OriginReferrers), certificates);
    const storages = new Storages(secrets);
    const listeners = contributions(OriginListeners);
    const policy = new AddressPolicy(config.allowedRanges);
    serve(OriginService, originHandlers(origins, storages, certificates, policy, quotas, listeners));
    provide(Origins, originsContract(origins, storages));
    contribute(SSLCertReferrers, origins.referrer({ table: "origins", target: "sslCertId", id: "id" }));
    contribute(SSLCertUses, certificateUses(origins));
    contribute(SSLCertListeners, certificateListener(origins, listeners));
    contribute(UserRemovals, origins);
    contribute(UserQuotaDeclarations, ORIGINS);
  },
});
export default plugin;
