import { definePlugin, optional, type Plugin } from "edgehelm";
import { Secrets } from "edgehelm/auth";
import { SSLCertListeners, SSLCerts, SSLCertUses } from "../ssl_cert/contract.ts";
import { UserRemovals } from "../user/contract.ts";
import { certificateListener, certificateUses } from "./certificates.ts";
import { OriginListeners, Origins } from "./contract.ts";
import { errors } from "./errors.ts";
import { originHandlers } from "./handlers.ts";
import * as createOrigins from "./migrations/0001_create_origins.ts";
import { originsContract } from "./origins.ts";
import manifest from "./plugin.json" with { type: "json" };
import { OriginService } from "./proto/service_origin_pb.ts";
import { Storages } from "./storages.ts";
import { originStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  migrations: { "0001_create_origins": createOrigins },
  requires: { secrets: Secrets, certificates: optional(SSLCerts) },
  setup({ db, deps: { secrets, certificates }, serve, provide, contribute, contributions }) {
    const origins = originStore(db<Tables>());
    const storages = new Storages(secrets);
    const listeners = contributions(OriginListeners);
    serve(OriginService, originHandlers(origins, storages, certificates, listeners));
    provide(Origins, originsContract(origins, storages));
    contribute(SSLCertUses, certificateUses(origins));
    contribute(SSLCertListeners, certificateListener(origins, listeners));
    contribute(UserRemovals, origins);
  },
});
export default plugin;
