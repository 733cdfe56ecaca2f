import { definePlugin, invalid, type Plugin } from "edgehelm";
import { ForeignRows, pastDaysSetting } from "../node_base/contract.ts";
import { NSDomains } from "../ns_domain/contract.ts";
import { NSNodes } from "../ns_node/contract.ts";
import { NSRecords } from "../ns_record/contract.ts";
import { errors } from "./errors.ts";
import { nsRecordHourlyStatHandlers } from "./handlers.ts";
import * as createNSHourlyStats from "./migrations/0001_create_ns_hourly_stats.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NSRecordHourlyStatConfigSchema } from "./proto/config_pb.ts";
import { NSRecordHourlyStatService } from "./proto/service_ns_record_hourly_stat_pb.ts";
import { daysSettings, removeOld } from "./retention.ts";
import { statStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_ns_hourly_stats": createNSHourlyStats },
  config: NSRecordHourlyStatConfigSchema,
  requires: { domains: NSDomains, records: NSRecords, nodes: NSNodes },
  setup({ db, config, clock, log, metrics, deps, serve, every }) {
    const days = daysSettings(pastDaysSetting(config.pastDays), config.keepDays);
    const stats = statStore(db<Tables>());
    const dropped = metrics.counter("foreign_rows_total", "Uploaded queries of domains that the node does not serve");
    const foreign = new ForeignRows({ count: (rows) => dropped.add(rows), log, clock });
    const { maxRowsPerDay = 1_000_000 } = config;
    if (maxRowsPerDay === 0) throw invalid("maxRowsPerDay", "must be at least 1, got 0");
    const handlerDeps = { ...deps, stats, clock, foreign, pastDays: days.past, maxRowsPerDay };
    serve(NSRecordHourlyStatService, nsRecordHourlyStatHandlers(handlerDeps));
    every({ name: "remove_old", everySeconds: 3600, run: (call) => removeOld(call, stats, clock, days) });
  },
});
export default plugin;
