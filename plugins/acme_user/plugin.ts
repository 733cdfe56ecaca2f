import { definePlugin, optional, type Plugin } from "edgehelm";
import { usedBy } from "edgehelm/rows";
import { ACMEProviders } from "../acme_provider/contract.ts";
import { ACMEProviderAccounts, ACMEProviderAccountUses, ACMERegistrations } from "../acme_provider_account/contract.ts";
import { userRemoval, UserRemovals, Users } from "../user/contract.ts";
import { UserQuotaDeclarations, UserQuotas } from "../user_quota/contract.ts";
import { ACMEUsers, ACMEUserUses } from "./contract.ts";
import { errors } from "./errors.ts";
import { acmeUserHandlers, forget } from "./handlers.ts";
import { acmeUsersContract } from "./messages.ts";
import * as createACMEUsers from "./migrations/0001_create_acme_users.ts";
import manifest from "./plugin.json" with { type: "json" };
import { ACMEUserService } from "./proto/service_acme_user_pb.ts";
import { ACME_USERS } from "./quota.ts";
import { acmeUserStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_acme_users": createACMEUsers },
  requires: {
    providers: ACMEProviders,
    accounts: ACMEProviderAccounts,
    registrations: ACMERegistrations,
    users: optional(Users),
    quotas: optional(UserQuotas),
  },
  setup({ db, clock, deps, serve, provide, contribute, contributions }) {
    const store = acmeUserStore(db<Tables>());
    const uses = contributions(ACMEUserUses);
    serve(ACMEUserService, acmeUserHandlers({ ...deps, store, uses, clock }));
    provide(ACMEUsers, acmeUsersContract(store, deps));
    contribute(ACMEProviderAccountUses, usedBy(store.usingAccount, ({ email }) => `ACME user "${email}"`));
    contribute(UserQuotaDeclarations, ACME_USERS);
    contribute(
      UserRemovals,
      userRemoval(store.someOfUser, async (call, ids) => {
        await forget(call, deps, await store.byIds.all(call, { ids }));
        for (const id of ids) await store.remove.run(call, { id });
      }),
    );
  },
});
export default plugin;
