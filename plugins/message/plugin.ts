import { type Call, choiceField, definePlugin, optional, type Plugin, unixSeconds } from "edgehelm";
import { EventListeners, type EventTexts } from "edgehelm/runtime";
import { inBatches } from "edgehelm/storage";
import { MessageTasks } from "../message_task/contract.ts";
import { userRemoval, UserRemovals, Users } from "../user/contract.ts";
import { errors } from "./errors.ts";
import { messageHandlers } from "./handlers.ts";
import { messageListener } from "./listener.ts";
import * as createMessages from "./migrations/0001_create_messages.ts";
import manifest from "./plugin.json" with { type: "json" };
import { MessageConfigSchema } from "./proto/config_pb.ts";
import { MessageService } from "./proto/service_message_pb.ts";
import { ownerMail } from "./owner_mail.ts";
import { messageStore, type Tables } from "./store.ts";

const KEPT_SECONDS = 90n * 86_400n;
const DELETE_BATCH_SIZE = 500;

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  config: MessageConfigSchema,
  migrations: { "0001_create_messages": createMessages },
  requires: { tasks: optional(MessageTasks), users: optional(Users) },
  setup({ db, clock, config, deps: { tasks, users }, serve, every, contribute }) {
    const messages = messageStore(db<Tables>());
    const language = choiceField("language", config.language || "en", ["en", "zh"]) as keyof EventTexts;
    const remove = async (call: Call, ids: readonly bigint[]) => {
      await messages.remove.run(call, { ids });
      await messages.removeReads.run(call, { ids });
    };
    const { withoutMail, messageMediaInstanceId } = config;
    const canMail = !withoutMail && tasks !== undefined && users !== undefined;
    const mail = canMail ? ownerMail({ tasks, users, messageMediaInstanceId }) : undefined;
    serve(MessageService, messageHandlers(messages));
    contribute(EventListeners, messageListener(messages, language, mail, users));
    contribute(UserRemovals, userRemoval(messages.someOfUser, remove));
    every({
      name: "clean",
      everySeconds: 3600,
      run: (call) =>
        inBatches(call, DELETE_BATCH_SIZE, async (inner, limit) => {
          const expired = await messages.expired.all(inner, { before: unixSeconds(clock) - KEPT_SECONDS, limit });
          const ids = expired.map(({ id }) => id);
          if (ids.length > 0) await remove(inner, ids);
          return ids.length;
        }),
    });
  },
});
export default plugin;
