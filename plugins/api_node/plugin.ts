import { definePlugin, type Plugin, textField, unixSeconds } from "edgehelm";
import { hostPart } from "edgehelm/runtime";
import { AdminDashboard } from "../admin/contract.ts";
import { APINodes } from "./contract.ts";
import { accessEndpoints } from "./endpoints.ts";
import { errors } from "./errors.ts";
import { APINodeConfigSchema } from "./proto/config_pb.ts";
import { apiNodeHandlers } from "./handlers.ts";
import { Instance } from "./instance.ts";
import type { Machine } from "./machine.ts";
import * as createAPINodes from "./migrations/0001_create_api_nodes.ts";
import manifest from "./plugin.json" with { type: "json" };
import { APINodeService } from "./proto/service_api_node_pb.ts";
import { apiNodeStore, type Tables } from "./store.ts";

const REPORT_SECONDS = 30;
/** An instance that missed two reports is offline. */
const ACTIVE_SECONDS = 90n;

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_api_nodes": createAPINodes },
  config: APINodeConfigSchema,
  host: hostPart<Machine>(),
  setup({ db, config, clock, host: machine, serve, provide, contribute, every }) {
    const nodes = apiNodeStore(db<Tables>());
    const code = textField("instanceCode", config.instanceCode, { max: 64 }) || "main";
    const instance = new Instance(code, { nodes, clock, machine });
    serve(APINodeService, apiNodeHandlers(nodes, instance));
    provide(APINodes, { endpoints: (call) => accessEndpoints(call, nodes) });
    contribute(AdminDashboard, {
      async figures(call) {
        const { count: countAPINodes } = await nodes.list.count(call, {});
        const offline = await nodes.countOffline.one(call, { activeSince: unixSeconds(clock) - ACTIVE_SECONDS });
        return { countAPINodes, countOfflineAPINodes: offline.count };
      },
    });
    // A job runs on one instance only; the name contains the code so that each instance reports.
    every({
      name: `report_${code}`,
      everySeconds: REPORT_SECONDS,
      run: async (call) => void await instance.report(call),
    });
  },
});
export default plugin;
