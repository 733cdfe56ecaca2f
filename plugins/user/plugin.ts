import { definePlugin, type Plugin } from "edgehelm";
import { AccessTokens, LoginAttempts, PasswordHashing } from "edgehelm/auth";
import { AdminDashboard } from "../admin/contract.ts";
import {
  UserDashboards,
  UserFeatures,
  UserRemovals,
  Users,
  UserServersChecks,
  UserServersListeners,
} from "./contract.ts";
import { errors } from "./errors.ts";
import { BUILT_IN_FEATURES } from "./features.ts";
import { allUserHandlers } from "./handlers/mod.ts";
import * as createUsers from "./migrations/0001_create_users.ts";
import * as addLoggedInAt from "./migrations/0002_add_logged_in_at.ts";
import manifest from "./plugin.json" with { type: "json" };
import { removeDeletedUsers } from "./removal.ts";
import { UserConfigSchema } from "./proto/config_pb.ts";
import { UserService } from "./proto/service_user_pb.ts";
import { type Tables, userStore } from "./store.ts";
import { userChanges } from "./store_changes.ts";
import { UserDirectory } from "./user_directory.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  migrations: { "0001_create_users": createUsers, "0002_add_logged_in_at": addLoggedInAt },
  config: UserConfigSchema,
  requires: { passwords: PasswordHashing, tokens: AccessTokens, attempts: LoginAttempts },
  setup(
    { db, config, clock, deps: { passwords, tokens, attempts }, serve, provide, every, contribute, contributions },
  ) {
    const tables = db<Tables>();
    const users = userStore(tables);
    const changes = userChanges(tables);
    const directory = new UserDirectory(users, changes, passwords, tokens, attempts, clock);
    const contributedFeatures = contributions(UserFeatures);
    const handlerDeps = {
      users,
      changes,
      directory,
      passwords,
      attempts,
      clock,
      loginWithoutOldPassword: config.loginWithoutOldPassword,
      dashboards: contributions(UserDashboards),
      serversChecks: contributions(UserServersChecks),
      serversListeners: contributions(UserServersListeners),
      features: () => [...BUILT_IN_FEATURES, ...contributedFeatures.flat()],
    };
    serve(UserService, allUserHandlers(handlerDeps));
    provide(Users, directory);
    contribute(AdminDashboard, {
      figures: async (call) => ({ countUsers: (await users.list.count(call, { keyword: "" })).count }),
    });
    const removals = contributions(UserRemovals);
    every({ name: "remove_deleted", everySeconds: 5, run: (call) => removeDeletedUsers(call, changes, removals) });
  },
});
export default plugin;
