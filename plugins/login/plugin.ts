import { definePlugin, type Plugin } from "edgehelm";
import { AccessTokens, sealedSecrets, Secrets } from "edgehelm/auth";
import { Events } from "edgehelm/runtime";
import { AdminDeletions } from "../admin/contract.ts";
import { UserRemovals } from "../user/contract.ts";
import { KnownAddresses } from "./addresses.ts";
import { FactorOwners, LoginAddresses, SecondFactors } from "./contract.ts";
import { errors } from "./errors.ts";
import { EVENTS } from "./events.ts";
import { Factors } from "./factors.ts";
import { loginHandlers } from "./handlers.ts";
import * as createLogins from "./migrations/0001_create_logins.ts";
import * as rememberLoginAddresses from "./migrations/0002_remember_login_addresses.ts";
import manifest from "./plugin.json" with { type: "json" };
import { LoginConfigSchema } from "./proto/config_pb.ts";
import { LoginService } from "./proto/service_login_pb.ts";
import { addressStore, loginStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  config: LoginConfigSchema,
  migrations: { "0001_create_logins": createLogins, "0002_remember_login_addresses": rememberLoginAddresses },
  events: EVENTS,
  sealed: [{ table: "logins", column: "secret", row: "uniqueId" }],
  requires: { sealer: Secrets, tokens: AccessTokens, events: Events },
  async setup({ db, config, clock, deps: { sealer, tokens, events }, serve, provide, contribute, contributions }) {
    const secrets = await sealedSecrets(sealer, "logins", "secret");
    const isRequiredOfSuperAdmins = config.requireOTPOfSuperAdmins;
    const tables = db<Tables>();
    const factors = new Factors({ store: loginStore(tables), secrets, clock, isRequiredOfSuperAdmins });
    const addresses = new KnownAddresses(addressStore(tables), events, clock);
    serve(LoginService, loginHandlers({ factors, owners: contributions(FactorOwners), tokens }));
    provide(SecondFactors, factors);
    provide(LoginAddresses, addresses);
    contribute(AdminDeletions, {
      async deleted(call, adminId) {
        const owner = { role: "admin", subjectId: adminId } as const;
        await factors.remove(call, owner);
        await addresses.remove(call, owner);
      },
    });
    contribute(UserRemovals, {
      async removeSome(call, userId, limit) {
        const owner = { role: "user", subjectId: userId } as const;
        const removed = await factors.remove(call, owner);
        return removed === limit ? removed : removed + await addresses.remove(call, owner, limit - removed);
      },
    });
  },
});
export default plugin;
