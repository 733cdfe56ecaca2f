import { definePlugin, optional, type Plugin } from "edgehelm";
import { AccessTokens, AdminDirectories, LoginAttempts, Modules, PasswordHashing } from "edgehelm/auth";
import { FactorOwners, LoginAddresses, SecondFactors } from "../login/contract.ts";
import { AdminRegistry } from "./admins.ts";
import { AdminDashboard, AdminDeletions, Admins } from "./contract.ts";
import { errors } from "./errors.ts";
import { adminHandlers } from "./handlers/admins.ts";
import { findHandlers } from "./handlers/find.ts";
import { loginHandlers } from "./handlers/login.ts";
import * as createAdmins from "./migrations/0001_create_admins.ts";
import manifest from "./plugin.json" with { type: "json" };
import { AdminService } from "./proto/service_admin_pb.ts";
import { adminStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_admins": createAdmins },
  requires: {
    passwords: PasswordHashing,
    tokens: AccessTokens,
    attempts: LoginAttempts,
    modules: Modules,
    factors: optional(SecondFactors),
    addresses: optional(LoginAddresses),
  },
  setup({ db, clock, deps, serve, provide, contribute, contributions }) {
    const { passwords, tokens, attempts } = deps;
    const admins = adminStore(db<Tables>());
    const registry = new AdminRegistry({ admins, passwords, tokens, attempts, clock });
    const deletions = contributions(AdminDeletions);
    const handlerDeps = { ...deps, admins, registry, deletions, dashboard: contributions(AdminDashboard) };
    serve(AdminService, {
      ...loginHandlers(handlerDeps),
      ...adminHandlers(handlerDeps),
      ...findHandlers(handlerDeps),
    });
    provide(Admins, registry);
    contribute(AdminDirectories, registry);
    contribute(FactorOwners, {
      role: "admin",
      exists: async (call, id) => await admins.byId.first(call, { id }) !== undefined,
    });
  },
});
export default plugin;
