import {
  AccessTokens,
  type Call,
  CredentialSources,
  definePlugin,
  hostPart,
  NodeConnections,
  nodeCredentials,
  optional,
  type Plugin,
  sealedSecrets,
  Secrets,
  unixSeconds,
} from "edgehelm";
import { NodeIPAddresses } from "../node_ip_address/contract.ts";
import { ReportNodeGroups, ReportNodeGroupUses } from "../report_node_group/contract.ts";
import { callingNode } from "./callers.ts";
import { ReportNodeConfigSchema } from "./config_pb.ts";
import { ReportMeasurements, ReportNodes } from "./contract.ts";
import { callerHandlers } from "./handlers/callers.ts";
import { nodeHandlers } from "./handlers/nodes.ts";
import type { Machine } from "./machine.ts";
import { migrations } from "./migrations/mod.ts";
import { tellOfUnreached } from "./notices.ts";
import manifest from "./plugin.json" with { type: "json" };
import { SILENT_SECONDS } from "./rules.ts";
import { ReportNodeService } from "./service_report_node_pb.ts";
import { reportNodeStore, type Tables } from "./store.ts";
import { ReportTasks } from "./tasks.ts";
import { groupUses } from "./uses.ts";

const plugin: Plugin = definePlugin({
  manifest,
  migrations,
  config: ReportNodeConfigSchema,
  host: hostPart<Machine>(),
  requires: {
    groups: optional(ReportNodeGroups),
    addresses: optional(NodeIPAddresses),
    sealer: Secrets,
    tokens: AccessTokens,
  },
  async setup({ db, config, clock, host: machine, deps, serve, provide, every, contribute, contributions }) {
    const nodes = reportNodeStore(db<Tables>());
    const secrets = await sealedSecrets(deps.sealer, "reportNodes", "secret");
    const measurements = contributions(ReportMeasurements);
    const tasks = new ReportTasks(deps.addresses, measurements, config.measuredPort);
    const parts = { ...deps, nodes, secrets, machine, connections: new NodeConnections(), measurements, tasks, clock };
    serve(ReportNodeService, { ...nodeHandlers(parts), ...callerHandlers(parts) });
    provide(ReportNodes, { requireCaller: async (call) => (await callingNode(nodes, call)).id });
    contribute(CredentialSources, nodeCredentials(manifest.name, "report", nodes, secrets));
    contribute(ReportNodeGroupUses, groupUses(nodes));
    const silentSince = () => ({ before: unixSeconds(clock) - SILENT_SECONDS });
    const watch = async (inner: Call) => void await nodes.turnSilentOff.run(inner, silentSince());
    every({ name: "tell", everySeconds: 60, run: (call) => tellOfUnreached(call, nodes, tasks, clock) });
    every({ name: "watch", everySeconds: 60, run: (call) => call.transact(watch) });
  },
});
export default plugin;
