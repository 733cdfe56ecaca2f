import { definePlugin, type Plugin } from "edgehelm";
import { Secrets } from "edgehelm/auth";
import { ACMEProviders } from "../acme_provider/contract.ts";
import { Bindings } from "./bindings.ts";
import { errors } from "./errors.ts";
import { acmeProviderAccountHandlers } from "./handlers.ts";
import * as createACMEProviderAccounts from "./migrations/0001_create_acme_provider_accounts.ts";
import manifest from "./plugin.json" with { type: "json" };
import { ACMEProviderAccountService } from "./proto/service_acme_provider_account_pb.ts";
import { accountStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_acme_provider_accounts": createACMEProviderAccounts },
  sealed: [{ table: "acmeProviderAccounts", column: "sealedKey", row: "providerCode || ' ' || eabKid" }],
  requires: { providers: ACMEProviders, secrets: Secrets },
  setup({ db, deps: { providers, secrets }, serve }) {
    const accounts = accountStore(db<Tables>());
    serve(ACMEProviderAccountService, acmeProviderAccountHandlers(accounts, new Bindings(secrets), providers));
  },
});
export default plugin;
