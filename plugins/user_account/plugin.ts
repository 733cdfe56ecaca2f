import { definePlugin, optional, type Plugin } from "edgehelm";
import { UserRemovals, Users, UserStates, UserSuspensions } from "../user/contract.ts";
import { errors } from "./errors.ts";
import { AccountLedger, accountRemoval, debtSuspension } from "./ledger.ts";
import { UserAccounts } from "./contract.ts";
import { accountHandlers } from "./handlers/accounts.ts";
import { logHandlers } from "./handlers/logs.ts";
import * as createUserAccounts from "./migrations/0001_create_user_accounts.ts";
import * as createUserAccountDebts from "./migrations/0002_create_user_account_debts.ts";
import manifest from "./plugin.json" with { type: "json" };
import { UserAccountLogService } from "./proto/service_user_account_log_pb.ts";
import { UserAccountService } from "./proto/service_user_account_pb.ts";
import { debtStore } from "./store_debts.ts";
import { type Tables, userAccountStore } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: {
    "0001_create_user_accounts": createUserAccounts,
    "0002_create_user_account_debts": createUserAccountDebts,
  },
  requires: { users: Users, states: optional(UserStates) },
  setup({ db, clock, deps: { users, states }, serve, provide, contribute }) {
    const tables = db<Tables>();
    const accounts = userAccountStore(tables);
    const ledgerDeps = { accounts, debts: debtStore(tables), users, states, clock };
    const ledger = new AccountLedger(ledgerDeps);
    serve(UserAccountService, accountHandlers(accounts, ledger, users));
    serve(UserAccountLogService, logHandlers(accounts, ledger, users));
    provide(UserAccounts, ledger);
    contribute(UserRemovals, accountRemoval(ledgerDeps));
    contribute(UserSuspensions, debtSuspension(ledgerDeps));
  },
});
export default plugin;
