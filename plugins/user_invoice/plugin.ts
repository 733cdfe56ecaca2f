import { definePlugin, type Plugin } from "edgehelm";
import { UserRemovals, Users } from "../user/contract.ts";
import { UserAccounts } from "../user_account/contract.ts";
import { errors } from "./errors.ts";
import { userInvoiceHandlers } from "./handlers.ts";
import * as createUserInvoices from "./migrations/0001_create_user_invoices.ts";
import manifest from "./plugin.json" with { type: "json" };
import { UserInvoiceConfigSchema } from "./proto/config_pb.ts";
import { UserInvoiceService } from "./proto/service_user_invoice_pb.ts";
import { termsOf } from "./rules.ts";
import { type Tables, userInvoiceStore } from "./store.ts";
import { taxTable } from "./tax.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_user_invoices": createUserInvoices },
  config: UserInvoiceConfigSchema,
  requires: { accounts: UserAccounts, users: Users },
  setup({ db, config, clock, deps, serve, contribute }) {
    const invoices = userInvoiceStore(db<Tables>());
    const taxOf = taxTable(config.taxes);
    serve(UserInvoiceService, userInvoiceHandlers({ ...deps, invoices, terms: termsOf(config), taxOf, clock }));
    // invoices are kept
    contribute(UserRemovals, { removeSome: (call, userId) => invoices.removeAddress.run(call, { userId }) });
  },
});
export default plugin;
