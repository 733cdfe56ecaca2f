import { type Call, definePlugin, type Plugin, unixSeconds } from "edgehelm";
import { TokenEndings } from "edgehelm/auth";
import { Events } from "edgehelm/runtime";
import { inBatches } from "edgehelm/storage";
import { MessageAttemptListeners, MessageTasks } from "../message_task/contract.ts";
import { UserProofs, userRemoval, UserRemovals, Users } from "../user/contract.ts";
import { errors } from "./errors.ts";
import { EVENTS } from "./events.ts";
import { verificationHandlers } from "./handlers.ts";
import * as createUserEmailVerifications from "./migrations/0001_create_user_email_verifications.ts";
import manifest from "./plugin.json" with { type: "json" };
import { UserEmailVerificationConfigSchema } from "./proto/config_pb.ts";
import { UserEmailVerificationService } from "./proto/service_user_email_verification_pb.ts";
import { verificationSettings } from "./settings.ts";
import { type Tables, verificationStore } from "./store.ts";
import { Verifications } from "./verifications.ts";

const KEPT_SECONDS = 30n * 86_400n;
const DELETE_BATCH_SIZE = 500;

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  config: UserEmailVerificationConfigSchema,
  events: EVENTS,
  migrations: { "0001_create_user_email_verifications": createUserEmailVerifications },
  requires: { proofs: UserProofs, users: Users, tasks: MessageTasks, events: Events },
  setup({ db, clock, config, deps, serve, every, contribute }) {
    const store = verificationStore(db<Tables>());
    const verifications = new Verifications({ ...deps, store, clock, settings: verificationSettings(config) });
    const remove = async (call: Call, ids: readonly bigint[]) => {
      for (const id of ids) await store.remove.defer(call, { id });
    };
    serve(UserEmailVerificationService, verificationHandlers(store, verifications, deps.proofs));
    contribute(MessageAttemptListeners, {
      async attempted(call, { messageTaskId, isOk }) {
        if (isOk) await store.setSent.run(call, { messageTaskId });
      },
    });
    // A code that another person asked for must not outlive the password.
    contribute(TokenEndings, {
      async ended(call, holder) {
        if ("role" in holder && holder.role === "user") await store.endCodes.run(call, { userId: holder.subjectId });
      },
    });
    contribute(UserRemovals, userRemoval(store.someOfUser, remove));
    every({
      name: "clean",
      everySeconds: 3600,
      run: (call) =>
        inBatches(call, DELETE_BATCH_SIZE, async (inner, limit) => {
          const rows = await store.expired.all(inner, { before: unixSeconds(clock) - KEPT_SECONDS, limit });
          await remove(inner, rows.map(({ id }) => id));
          return rows.length;
        }),
    });
  },
});
export default plugin;
