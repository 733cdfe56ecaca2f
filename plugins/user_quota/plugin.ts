import { definePlugin, type Plugin } from "edgehelm";
import { UserQuotaDeclarations, UserQuotaOverrides, UserQuotas } from "./contract.ts";
import manifest from "./plugin.json" with { type: "json" };
import { UserQuotaSettingsSchema } from "./proto/config_pb.ts";
import { Quotas } from "./quotas.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  config: UserQuotaSettingsSchema,
  setup({ config, provide, contributions, onStart }) {
    const quotas = new Quotas(config.limits, contributions(UserQuotaDeclarations), contributions(UserQuotaOverrides));
    provide(UserQuotas, quotas);
    onStart(() => quotas.checkLimits());
  },
});
export default plugin;
