import { definePlugin, type Plugin } from "edgehelm";
import { Servers } from "../server/contract.ts";
import { ACMEAuthentications } from "./contract.ts";
import * as createACMEAuthentications from "./migrations/0001_create_acme_authentications.ts";
import manifest from "./plugin.json" with { type: "json" };
import { ACMEAuthenticationService } from "./proto/service_acme_authentication_pb.ts";
import { authenticationStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_acme_authentications": createACMEAuthentications },
  requires: { servers: Servers },
  setup({ db, deps: { servers }, serve, provide }) {
    const store = authenticationStore(db<Tables>());
    serve(ACMEAuthenticationService, {
      async findACMEAuthenticationKeyWithToken({ token }, call) {
        const found = await store.byToken.first(call, { token });
        if (found === undefined) return {};
        // nodes of another cluster must not prove the name for a site that they do not serve
        const served = await servers.servedByCaller(call, [found.serverId]);
        return served.has(found.serverId) ? { key: found.key } : {};
      },
    });
    provide(ACMEAuthentications, {
      publish: async (call, authentication) => void await store.put.run(call, authentication),
      removeOfTask: async (call, acmeTaskId) => void await store.removeOfTask.run(call, { acmeTaskId }),
    });
  },
});
export default plugin;
