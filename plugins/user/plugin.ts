import { definePlugin, optional, type Plugin } from "edgehelm";
import { AccessTokens, CallerStandings, LoginAttempts, PasswordHashing } from "edgehelm/auth";
import { AdminDashboard } from "../admin/contract.ts";
import { FactorOwners, LoginAddresses, SecondFactors } from "../login/contract.ts";
import { NodeClusters } from "../node_cluster/contract.ts";
import { ClusterAudiences } from "../plan/contract.ts";
import { UserDashboards, UserFeatures, UserProofs, UserRegistrations, UserRemovals, Users } from "./contract.ts";
import { UserStateListeners, UserStates, UserSuspensions } from "./contract.ts";
import { actSettings, actsOfStates } from "./acts.ts";
import { userStandings } from "./caller_standing.ts";
import { errors } from "./errors.ts";
import { BUILT_IN_FEATURES } from "./features.ts";
import { allUserHandlers } from "./handlers/mod.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { userProofs } from "./proofs.ts";
import { removeDeletedUsers } from "./removal.ts";
import { UserConfigSchema } from "./proto/config_pb.ts";
import { UserService } from "./proto/service_user_pb.ts";
import { openRegistrations } from "./registration/registrations.ts";
import { StateRegistry } from "./state_registry.ts";
import { type Tables, userStore } from "./store.ts";
import { stateStore } from "./store_states.ts";
import { userChanges } from "./store_changes.ts";
import { UserDirectory } from "./user_directory.ts";

const LOGIN = { factors: optional(SecondFactors), addresses: optional(LoginAddresses) };
const AUTHENTICATION = { passwords: PasswordHashing, tokens: AccessTokens, attempts: LoginAttempts };

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations,
  config: UserConfigSchema,
  requires: { ...AUTHENTICATION, ...LOGIN, clusters: optional(NodeClusters) },
  setup({ db, config, clock, deps, serve, provide, every, contribute, contributions }) {
    const tables = db<Tables>();
    const [users, changes] = [userStore(tables), userChanges(tables)];
    const states = new StateRegistry(stateStore(tables), actsOfStates(actSettings(config)), deps.tokens, {
      suspensions: contributions(UserSuspensions),
      listeners: contributions(UserStateListeners),
    });
    const [contributed, removals] = [contributions(UserFeatures), contributions(UserRemovals)];
    const features = () => [...BUILT_IN_FEATURES, ...contributed.flat()];
    const directory = new UserDirectory(users, changes, states, { ...deps, features }, clock);
    const handlerDeps = {
      ...{ users, changes, directory, states, ...deps, clock, features },
      loginWithoutOldPassword: config.loginWithoutOldPassword,
      dashboards: contributions(UserDashboards),
    };
    serve(UserService, allUserHandlers(handlerDeps));
    provide(Users, directory);
    provide(UserStates, states);
    provide(UserProofs, userProofs(handlerDeps));
    provide(UserRegistrations, openRegistrations(tables, { users, directory, ...deps, clock }, config));
    contribute(FactorOwners, { role: "user", exists: (call, id) => directory.exists(call, id) });
    contribute(CallerStandings, userStandings(states));
    every({ name: "derive_states", everySeconds: 60, run: (call) => states.deriveAll(call) });
    contribute(ClusterAudiences, { list: "userIds", noun: "user", objects: directory });
    contribute(AdminDashboard, {
      figures: async (call) => ({ countUsers: (await users.list.count(call, { keyword: "" })).count }),
    });
    every({ name: "remove_deleted", everySeconds: 5, run: (call) => removeDeletedUsers(call, changes, removals) });
  },
});
export default plugin;
