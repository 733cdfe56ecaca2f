import { definePlugin, type Plugin } from "edgehelm";
import { AccessTokens, sealedSecrets, Secrets } from "edgehelm/auth";
import { AdminDeletions } from "../admin/contract.ts";
import { UserRemovals } from "../user/contract.ts";
import { FactorOwners, SecondFactors } from "./contract.ts";
import { errors } from "./errors.ts";
import { Factors } from "./factors.ts";
import { loginHandlers } from "./handlers.ts";
import * as createLogins from "./migrations/0001_create_logins.ts";
import manifest from "./plugin.json" with { type: "json" };
import { LoginConfigSchema } from "./proto/config_pb.ts";
import { LoginService } from "./proto/service_login_pb.ts";
import { loginStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  config: LoginConfigSchema,
  migrations: { "0001_create_logins": createLogins },
  sealed: [{ table: "logins", column: "secret", row: "uniqueId" }],
  requires: { sealer: Secrets, tokens: AccessTokens },
  async setup({ db, config, clock, deps: { sealer, tokens }, serve, provide, contribute, contributions }) {
    const secrets = await sealedSecrets(sealer, "logins", "secret");
    const isRequiredOfSuperAdmins = config.requireOTPOfSuperAdmins;
    const factors = new Factors({ store: loginStore(db<Tables>()), secrets, clock, isRequiredOfSuperAdmins });
    serve(LoginService, loginHandlers({ factors, owners: contributions(FactorOwners), tokens }));
    provide(SecondFactors, factors);
    contribute(AdminDeletions, {
      deleted: async (call, adminId) => void await factors.remove(call, { role: "admin", subjectId: adminId }),
    });
    contribute(UserRemovals, {
      removeSome: (call, userId) => factors.remove(call, { role: "user", subjectId: userId }),
    });
  },
});
export default plugin;
