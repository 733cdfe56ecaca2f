import { definePlugin, type Plugin } from "edgehelm";
import { UserRemovals, Users } from "../user/contract.ts";
import { errors } from "./errors.ts";
import { AccountLedger, accountRemoval } from "./ledger.ts";
import { UserAccounts } from "./contract.ts";
import { accountHandlers } from "./handlers/accounts.ts";
import { logHandlers } from "./handlers/logs.ts";
import * as createUserAccounts from "./migrations/0001_create_user_accounts.ts";
import manifest from "./plugin.json" with { type: "json" };
import { UserAccountLogService } from "./proto/service_user_account_log_pb.ts";
import { UserAccountService } from "./proto/service_user_account_pb.ts";
import { type Tables, userAccountStore } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  migrations: { "0001_create_user_accounts": createUserAccounts },
  requires: { users: Users },
  setup({ db, clock, deps: { users }, serve, provide, contribute }) {
    const accounts = userAccountStore(db<Tables>());
    const ledger = new AccountLedger(accounts, users, clock);
    serve(UserAccountService, accountHandlers(accounts, ledger, users));
    serve(UserAccountLogService, logHandlers(accounts, users));
    provide(UserAccounts, ledger);
    contribute(UserRemovals, accountRemoval(accounts));
  },
});
export default plugin;
