import { definePlugin, optional, type Plugin } from "edgehelm";
import { AuditLog } from "edgehelm/runtime";
import { Admins } from "../admin/contract.ts";
import { Users } from "../user/contract.ts";
import { errors } from "./errors.ts";
import { logHandlers } from "./handlers.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { LogService } from "./proto/service_log_pb.ts";
import { logList, logStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations,
  lists: [logList],
  requires: { auditLog: AuditLog, admins: optional(Admins), users: optional(Users) },
  setup({ db, clock, deps, serve }) {
    const tables = db<Tables>();
    serve(LogService, logHandlers({ logs: logStore(tables), list: logList.open(tables), clock, ...deps }));
  },
});
export default plugin;
