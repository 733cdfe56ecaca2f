import { definePlugin, optional, type Plugin } from "edgehelm";
import { AccessTokens, CredentialSources, LoginAttempts, TokenEndings } from "edgehelm/auth";
import { ServedApi } from "edgehelm/runtime";
import { Admins } from "../admin/contract.ts";
import { LoginAddresses, SecondFactors } from "../login/contract.ts";
import { UserRegistrations, Users } from "../user/contract.ts";
import { UserVerifyCodes } from "../user_verify_code/contract.ts";
import { ConsolePages } from "./contract.ts";
import { errors } from "./errors.ts";
import * as createConsoleSessions from "./migrations/0001_create_console_sessions.ts";
import { consolePages } from "./pages.ts";
import { checkPages, pluginPagesList } from "./plugin_pages.ts";
import manifest from "./plugin.json" with { type: "json" };
import { ConsoleConfigSchema } from "./proto/config_pb.ts";
import { ConsoleSessionService } from "./proto/service_console_session_pb.ts";
import { sessionSource } from "./sessions/credential_source.ts";
import { sessionHandlers } from "./sessions/handlers.ts";
import { sessionOperations } from "./sessions/operations.ts";
import { sessionTimes } from "./sessions/times.ts";
import { Sessions } from "./sessions/sessions.ts";
import { sessionStore, type Tables } from "./store.ts";

const MAX_REQUEST_BYTES = 8192;

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  config: ConsoleConfigSchema,
  migrations: { "0001_create_console_sessions": createConsoleSessions },
  requires: {
    api: ServedApi,
    tokens: AccessTokens,
    attempts: LoginAttempts,
    admins: optional(Admins),
    users: optional(Users),
    registrations: optional(UserRegistrations),
    codes: optional(UserVerifyCodes),
    factors: optional(SecondFactors),
    addresses: optional(LoginAddresses),
  },
  setup({ db, config, clock, serve, route, receive, contribute, contributions, every, onStart, deps }) {
    route("/", () => new Response(null, { status: 302, headers: { location: "/console" } }));
    for (const [path, page] of consolePages(deps.api)) route(path, page);
    route("/console/pages.json", pluginPagesList(() => contributions(ConsolePages)));
    onStart(() => checkPages(contributions(ConsolePages)));
    const times = sessionTimes(config);
    const store = sessionStore(db<Tables>());
    const sessions = new Sessions({ ...deps, store, clock, sources: contributions(CredentialSources), ...times });
    const handlerDeps = { ...deps, sessions, store, clock, ...times };
    serve(ConsoleSessionService, sessionOperations(handlerDeps));
    for (const [path, handler] of sessionHandlers(handlerDeps)) receive(path, MAX_REQUEST_BYTES, handler);
    contribute(CredentialSources, sessionSource(sessions, store, clock));
    contribute(TokenEndings, { ended: (call, holder) => sessions.endOf(call, holder) });
    every({ name: "delete_ended", everySeconds: 600, run: (call) => sessions.prune(call) });
  },
});
export default plugin;
