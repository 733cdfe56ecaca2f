import { definePlugin, type Plugin } from "edgehelm";
import { NSClusters } from "../ns_cluster/contract.ts";
import { NSDomains } from "../ns_domain/contract.ts";
import { NSRecords } from "../ns_record/contract.ts";
import { ZoneText } from "./contract.ts";
import { errors } from "./errors.ts";
import { zoneFileHandlers } from "./handlers.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NSZoneFileService } from "./proto/service_ns_zone_file_pb.ts";
import { zoneText } from "./text.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  requires: { domains: NSDomains, records: NSRecords, clusters: NSClusters },
  setup({ deps, serve, provide }) {
    serve(NSZoneFileService, zoneFileHandlers(deps));
    provide(ZoneText, zoneText(deps.clusters));
  },
});
export default plugin;
