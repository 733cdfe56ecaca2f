import { definePlugin, type Plugin } from "edgehelm";
import { Secrets } from "edgehelm/auth";
import { ACMEConnections } from "../acme_provider/contract/connections.ts";
import { ACMEProviders } from "../acme_provider/contract.ts";
import { AccountKeys } from "./account_keys.ts";
import { Bindings } from "./bindings.ts";
import { ACMEProviderAccounts, ACMEProviderAccountUses, ACMERegistrations } from "./contract.ts";
import { errors } from "./errors.ts";
import { acmeProviderAccountHandlers } from "./handlers.ts";
import { AccountMessages } from "./messages.ts";
import * as createACMEProviderAccounts from "./migrations/0001_create_acme_provider_accounts.ts";
import * as registerAccounts from "./migrations/0002_register_accounts.ts";
import manifest from "./plugin.json" with { type: "json" };
import { ACMEProviderAccountService } from "./proto/service_acme_provider_account_pb.ts";
import { acmeProviderAccounts } from "./provided.ts";
import { Registrations } from "./registrations.ts";
import { accountStore, type Tables } from "./store.ts";
import { registrationStore, type RegistrationTables } from "./store_registrations.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: {
    "0001_create_acme_provider_accounts": createACMEProviderAccounts,
    "0002_register_accounts": registerAccounts,
  },
  sealed: [
    { table: "acmeProviderAccounts", column: "sealedKey", row: "providerCode || ' ' || eabKid" },
    { table: "acmeRegistrations", column: "sealedKey", row: "uniqueId" },
    { table: "acmeRegistrations", column: "sealedNextKey", row: "uniqueId" },
  ],
  requires: { providers: ACMEProviders, connections: ACMEConnections, secrets: Secrets },
  setup({ db, clock, deps: { providers, connections, secrets }, serve, provide, contributions, every }) {
    const accounts = accountStore(db<Tables>());
    const [bindings, keys] = [new Bindings(secrets), new AccountKeys(secrets)];
    const store = registrationStore(db<RegistrationTables>());
    const registrations = new Registrations({ store, accounts, keys, bindings, connections, clock });
    const messages = new AccountMessages({ accounts, bindings, registrations, providers });
    const uses = contributions(ACMEProviderAccountUses);
    const deps = { accounts, bindings, providers, registrations, messages, uses };
    serve(ACMEProviderAccountService, acmeProviderAccountHandlers(deps));
    provide(ACMERegistrations, registrations);
    provide(ACMEProviderAccounts, acmeProviderAccounts(accounts, messages));
    every({ name: "register", everySeconds: 10, run: (call) => registrations.registerDue(call) });
  },
});
export default plugin;
