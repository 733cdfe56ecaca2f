import { definePlugin, type Plugin } from "edgehelm";
import { ACMEProviderSettingsSchema } from "./proto/config_pb.ts";
import { ACMEProviders } from "./contract.ts";
import { ACMEConnections } from "./contract/connections.ts";
import manifest from "./plugin.json" with { type: "json" };
import { acmeProviders } from "./providers.ts";
import { Connections } from "./protocol/connections.ts";
import { ACMEProviderService } from "./proto/service_acme_provider_pb.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  config: ACMEProviderSettingsSchema,
  setup({ config, clock, serve, provide }) {
    const providers = acmeProviders(config.providers);
    serve(ACMEProviderService, {
      findAllACMEProviders: () => ({ acmeProviders: [...providers.all] }),
      findACMEProviderWithCode({ acmeProviderCode }) {
        const acmeProvider = providers.find(acmeProviderCode);
        return { acmeProvider };
      },
    });
    provide(ACMEProviders, providers);
    provide(ACMEConnections, new Connections(providers, clock));
  },
});
export default plugin;
