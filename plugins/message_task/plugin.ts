import { type Call, definePlugin, optional, type Plugin } from "edgehelm";
import { sealedSecrets, Secrets } from "edgehelm/auth";
import { MessageMedias } from "../message_media/contract.ts";
import { MessageMediaInstances, MessageMediaInstanceWatchers } from "../message_media_instance/contract.ts";
import { MessageRecipients, MessageRecipientWatchers } from "../message_recipient/contract.ts";
import { MessageAttemptListeners, MessageTasks } from "./contract.ts";
import { errors } from "./errors.ts";
import { messageTaskHandlers } from "./handlers.ts";
import * as createMessageTasks from "./migrations/0001_create_message_tasks.ts";
import * as repeatAttempts from "./migrations/0002_repeat_attempts.ts";
import * as sealConfidentialTexts from "./migrations/0003_seal_confidential_texts.ts";
import manifest from "./plugin.json" with { type: "json" };
import { MessageQueue } from "./queue.ts";
import { MessageTaskConfigSchema } from "./proto/config_pb.ts";
import { MessageTaskService } from "./proto/service_message_task_pb.ts";
import { INSTANCE, messageTaskStore, RECIPIENT, type Tables } from "./store.ts";
import { messageTasks } from "./tasks.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: {
    "0001_create_message_tasks": createMessageTasks,
    "0002_repeat_attempts": repeatAttempts,
    "0003_seal_confidential_texts": sealConfidentialTexts,
  },
  config: MessageTaskConfigSchema,
  sealed: [{ table: "messageTasks", column: "sealedText", row: "sealedPlace" }],
  requires: {
    medias: MessageMedias,
    instances: MessageMediaInstances,
    recipients: optional(MessageRecipients),
    sealer: Secrets,
  },
  async setup({ db, config, clock, systemCall, deps: { sealer, ...contracts }, contributions, ...setup }) {
    const { serve, provide, every, contribute } = setup;
    const tasks = messageTaskStore(db<Tables>());
    const secrets = await sealedSecrets(sealer, "messageTasks", "sealedText");
    const attemptListeners = contributions(MessageAttemptListeners);
    const deps = {
      ...contracts,
      tasks,
      secrets,
      clock,
      systemCall,
      attemptListeners,
      repeatsUnknown: config.repeatUnknown,
    };
    const queue = new MessageQueue(deps);
    const dropWatcher = (kind: bigint) => ({
      becameUnavailable: async (call: Call, targetId: bigint) =>
        void await tasks.queueDrop.run(call, { kind, targetId }),
    });
    const created = messageTasks(deps, queue);
    serve(MessageTaskService, messageTaskHandlers(deps, queue, created));
    provide(MessageTasks, created);
    contribute(MessageMediaInstanceWatchers, dropWatcher(INSTANCE));
    contribute(MessageRecipientWatchers, dropWatcher(RECIPIENT));
    every({ name: "send", everySeconds: 5, run: (call) => queue.send(call) });
    every({ name: "clean", everySeconds: 60, run: (call) => queue.clean(call) });
  },
});
export default plugin;
