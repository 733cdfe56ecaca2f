import { definePlugin, type Plugin } from "edgehelm";
import { ReportMeasurements, ReportNodes } from "../report_node/contract.ts";
import { measurements, removeOld, reportResultHandlers } from "./handlers.ts";
import * as createReportResults from "./migrations/0001_create_report_results.ts";
import manifest from "./plugin.json" with { type: "json" };
import { ReportResultService } from "./proto/service_report_result_pb.ts";
import { reportResultStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  migrations: { "0001_create_report_results": createReportResults },
  requires: { nodes: ReportNodes },
  setup({ db, clock, deps: { nodes }, serve, every, contribute }) {
    const results = reportResultStore(db<Tables>());
    serve(ReportResultService, reportResultHandlers(results, nodes, clock));
    contribute(ReportMeasurements, measurements(results, clock));
    every({ name: "remove_old", everySeconds: 3600, run: (call) => removeOld(call, results, clock) });
  },
});
export default plugin;
