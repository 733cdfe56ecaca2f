import { definePlugin, optional, type Plugin } from "edgehelm";
import { AccessTokens, CredentialSources, LoginAttempts, Secrets } from "edgehelm/auth";
import { Commands, Events, FirstStart } from "edgehelm/runtime";
import { AdminDeletions, Admins } from "../admin/contract.ts";
import { UserRemovals, Users } from "../user/contract.ts";
import { UserQuotaDeclarations, UserQuotas } from "../user_quota/contract.ts";
import { adminCommands } from "./commands.ts";
import { errors } from "./errors.ts";
import { EVENTS } from "./events.ts";
import { UserAccessKeyConfigSchema } from "./proto/config_pb.ts";
import { accessKeySource } from "./credential_source.ts";
import { firstAdmin } from "./first_start.ts";
import { userAccessKeyHandlers } from "./handlers.ts";
import { KeyFactory } from "./keys.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { ACCESS_KEYS } from "./quota.ts";
import { hashSecrets } from "./secret_hashing.ts";
import { secretCodec } from "./secret_codec.ts";
import { UserAccessKeyService } from "./proto/service_user_access_key_pb.ts";
import { type Tables, userAccessKeyStore } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations,
  events: EVENTS,
  config: UserAccessKeyConfigSchema,
  sealed: [{ table: "userAccessKeys", column: "secret", row: "uniqueId" }],
  requires: {
    admins: optional(Admins),
    users: optional(Users),
    secrets: Secrets,
    events: Events,
    tokens: AccessTokens,
    attempts: LoginAttempts,
    quotas: optional(UserQuotas),
  },
  async setup({ db, config, clock, deps, serve, contribute, every }) {
    const { admins, users, secrets, tokens, quotas, attempts } = deps;
    const keys = userAccessKeyStore(db<Tables>());
    const codec = await secretCodec(secrets, config.secretOnce);
    const keyFactory = new KeyFactory(keys, codec, clock, deps.events);
    const handlerDeps = { keys, codec, keyFactory, admins, users, tokens, quotas, attempts, clock };
    serve(UserAccessKeyService, userAccessKeyHandlers(handlerDeps));
    if (config.secretOnce) {
      every({ name: "hash_secrets", everySeconds: 3600, run: (call) => hashSecrets(call, keys, codec) });
    }
    contribute(CredentialSources, accessKeySource(handlerDeps, clock));
    contribute(UserQuotaDeclarations, ACCESS_KEYS);
    contribute(UserRemovals, {
      removeSome: (call, userId, limit) => keys.removeSomeOfUser.run(call, { userId, limit }),
    });
    contribute(AdminDeletions, {
      deleted: async (call, adminId) => void await keys.removeOfAdmin.run(call, { adminId }),
    });
    if (admins === undefined) return;
    contribute(FirstStart, firstAdmin(admins, keyFactory));
    for (const command of adminCommands(admins, keys, keyFactory, tokens)) contribute(Commands, command);
  },
});
export default plugin;
