import { definePlugin, type Plugin } from "edgehelm";
import { AuditLog, Inspection, ServedApi } from "edgehelm/runtime";
import { errors } from "./errors.ts";
import { installationHandlers } from "./handlers.ts";
import manifest from "./plugin.json" with { type: "json" };
import { InstallationService } from "./proto/service_installation_pb.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  requires: { inspection: Inspection, api: ServedApi, auditLog: AuditLog },
  setup({ clock, timers, serve, deps: { inspection, api, auditLog } }) {
    serve(InstallationService, installationHandlers({ inspection, api, auditLog, clock, timers }));
  },
});
export default plugin;
