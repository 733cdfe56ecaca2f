import { definePlugin, type Plugin } from "edgehelm";
import { ForeignRows } from "../node_base/contract.ts";
import { ReportMeasurements, ReportNodes } from "../report_node/contract.ts";
import { measurements, removeOld, reportResultHandlers } from "./handlers.ts";
import * as createReportResults from "./migrations/0001_create_report_results.ts";
import manifest from "./plugin.json" with { type: "json" };
import { ReportResultService } from "./proto/service_report_result_pb.ts";
import { reportResultStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_report_results": createReportResults },
  requires: { nodes: ReportNodes },
  setup({ db, clock, log, metrics, deps: { nodes }, serve, every, contribute }) {
    const results = reportResultStore(db<Tables>());
    const dropped = metrics.counter("foreign_rows_total", "Uploaded results of targets that are not measured");
    const foreign = new ForeignRows({ count: (rows) => dropped.add(rows), log, clock });
    serve(ReportResultService, reportResultHandlers(results, nodes, clock, foreign));
    contribute(ReportMeasurements, measurements(results, clock));
    every({ name: "remove_old", everySeconds: 3600, run: (call) => removeOld(call, results, clock) });
  },
});
export default plugin;
