import { type Call, definePlugin, type Plugin, unixSeconds } from "edgehelm";
import { LoginAttempts, sealedSecrets, Secrets, TokenEndings } from "edgehelm/auth";
import { Events } from "edgehelm/runtime";
import { inBatches } from "edgehelm/storage";
import { MessageTasks } from "../message_task/contract.ts";
import { UserProofs, userRemoval, UserRemovals } from "../user/contract.ts";
import { Codes } from "./codes.ts";
import { UserVerifyCodes } from "./contract.ts";
import { errors } from "./errors.ts";
import { EVENTS } from "./events.ts";
import { verifyCodeHandlers } from "./handlers.ts";
import * as createUserVerifyCodes from "./migrations/0001_create_user_verify_codes.ts";
import manifest from "./plugin.json" with { type: "json" };
import { UserVerifyCodeConfigSchema } from "./proto/config_pb.ts";
import { UserVerifyCodeService } from "./proto/service_user_verify_code_pb.ts";
import { sendCodes } from "./sending.ts";
import { codeSettings } from "./settings.ts";
import { codeStore, type Tables } from "./store.ts";

/** Codes are counted within 24 hours. */
const KEPT_SECONDS = 86_400n;
const DELETE_BATCH_SIZE = 500;

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  config: UserVerifyCodeConfigSchema,
  events: EVENTS,
  migrations: { "0001_create_user_verify_codes": createUserVerifyCodes },
  sealed: [{ table: "userVerifyCodes", column: "code", row: "place" }],
  requires: { proofs: UserProofs, tasks: MessageTasks, attempts: LoginAttempts, events: Events, sealer: Secrets },
  async setup({ db, clock, config, deps: { sealer, ...contracts }, serve, provide, every, contribute }) {
    const store = codeStore(db<Tables>());
    const secrets = await sealedSecrets(sealer, "userVerifyCodes", "code");
    const deps = { ...contracts, store, secrets, clock, settings: codeSettings(config) };
    const codes = new Codes(deps);
    const remove = async (call: Call, ids: readonly bigint[]) => {
      for (const id of ids) await store.remove.defer(call, { id });
    };
    serve(UserVerifyCodeService, verifyCodeHandlers(codes));
    provide(UserVerifyCodes, codes);
    // A code that another person asked for must not outlive the password.
    contribute(TokenEndings, {
      async ended(call, holder) {
        if ("role" in holder && holder.role === "user") await store.endCodes.run(call, { userId: holder.subjectId });
      },
    });
    contribute(UserRemovals, userRemoval(store.someOfUser, remove));
    every({ name: "send", everySeconds: 5, run: (call) => sendCodes(call, deps) });
    every({
      name: "clean",
      everySeconds: 3600,
      run: (call) =>
        inBatches(call, DELETE_BATCH_SIZE, async (inner, limit) => {
          const rows = await store.old.all(inner, { before: unixSeconds(clock) - KEPT_SECONDS, limit });
          await remove(inner, rows.map(({ id }) => id));
          return rows.length;
        }),
    });
  },
});
export default plugin;
