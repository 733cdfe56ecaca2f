import { definePlugin, type Plugin, unixSeconds } from "edgehelm";
import { inBatches } from "edgehelm/storage";
import { MessageAttemptListeners, MessageTasks } from "../message_task/contract.ts";
import { messageTaskLogHandlers } from "./handlers.ts";
import * as createMessageTaskLogs from "./migrations/0001_create_message_task_logs.ts";
import manifest from "./plugin.json" with { type: "json" };
import { MessageTaskLogService } from "./proto/service_message_task_log_pb.ts";
import { messageTaskLogStore, type Tables } from "./store.ts";

const KEPT_SECONDS = 30n * 86_400n;
const DELETE_BATCH_SIZE = 500;

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_message_task_logs": createMessageTaskLogs },
  requires: { tasks: MessageTasks },
  setup({ db, clock, deps: { tasks }, serve, every, contribute }) {
    const logs = messageTaskLogStore(db<Tables>());
    serve(MessageTaskLogService, messageTaskLogHandlers(logs, tasks));
    contribute(MessageAttemptListeners, {
      attempted: async (call, attempt) => void await logs.insert.run(call, attempt),
    });
    every({
      name: "clean",
      everySeconds: 3600,
      run: (call) =>
        inBatches(
          call,
          DELETE_BATCH_SIZE,
          (inner, limit) => logs.purge.run(inner, { before: unixSeconds(clock) - KEPT_SECONDS, limit }),
        ),
    });
  },
});
export default plugin;
