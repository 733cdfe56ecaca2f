import { definePlugin, optional, type Plugin } from "edgehelm";
import { AccessTokens, CredentialSources, sealedSecrets, Secrets } from "edgehelm/auth";
import { Events, hostPart } from "edgehelm/runtime";
import { nodeCredentials, NodeStreams } from "../node_base/contract.ts";
import { NodeIPAddresses } from "../node_ip_address/contract.ts";
import { NodeLogs } from "../node_log/contract.ts";
import { ReportNodeGroups, ReportNodeGroupUses } from "../report_node_group/contract.ts";
import { markSilentInactive, reportNodeKind, reportNodes } from "./callers.ts";
import { errors } from "./errors.ts";
import { EVENTS } from "./events.ts";
import { GlobalSetting } from "./global_setting.ts";
import { ReportNodeConfigSchema } from "./proto/config_pb.ts";
import { ReportMeasurements, ReportNodes } from "./contract.ts";
import { callerHandlers } from "./handlers/callers.ts";
import { nodeHandlers } from "./handlers/nodes.ts";
import type { Machine } from "./machine.ts";
import { migrations } from "./migrations/mod.ts";
import { notifyOfUnreachable } from "./notices.ts";
import { actOnOutages } from "./outages.ts";
import manifest from "./plugin.json" with { type: "json" };
import { ReportNodeService } from "./proto/service_report_node_pb.ts";
import { reportNodeStore, type Tables } from "./store.ts";
import { ReportTasks } from "./tasks.ts";
import { groupUses } from "./uses.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations,
  config: ReportNodeConfigSchema,
  host: hostPart<Machine>(),
  sealed: [
    { table: "reportNodes", column: "secret", row: "uniqueId" },
    { table: "reportNodeSettings", column: "sealedSecret", row: "id" },
  ],
  events: EVENTS,
  requires: {
    groups: optional(ReportNodeGroups),
    addresses: optional(NodeIPAddresses),
    logs: optional(NodeLogs),
    sealer: Secrets,
    tokens: AccessTokens,
    streams: NodeStreams,
    events: Events,
  },
  async setup({ db, config, clock, host: machine, deps, serve, provide, every, contribute, contributions }) {
    const nodes = reportNodeStore(db<Tables>());
    const secrets = await sealedSecrets(deps.sealer, "reportNodes", "secret");
    const setting = new GlobalSetting(nodes, await sealedSecrets(deps.sealer, "reportNodeSettings", "sealedSecret"));
    const measurements = contributions(ReportMeasurements);
    const tasks = new ReportTasks(deps.addresses, measurements, config.measuredPort);
    const links = deps.streams.of(reportNodeKind(nodes));
    const handlerDeps = { ...deps, nodes, secrets, machine, links, measurements, tasks, setting, clock };
    serve(ReportNodeService, { ...nodeHandlers(handlerDeps), ...callerHandlers(handlerDeps) });
    provide(ReportNodes, reportNodes(nodes, tasks));
    contribute(CredentialSources, nodeCredentials(manifest.name, "report", nodes, secrets));
    contribute(ReportNodeGroupUses, groupUses(nodes));
    every({ name: "notify", everySeconds: 60, run: (call) => notifyOfUnreachable(call, nodes, tasks, setting, clock) });
    every({ name: "act_on_outages", everySeconds: 60, run: (call) => actOnOutages(call, handlerDeps) });
    every({ name: "watch", everySeconds: 60, run: (call) => markSilentInactive(call, nodes, clock) });
  },
});
export default plugin;
