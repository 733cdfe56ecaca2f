import { definePlugin, type Plugin } from "edgehelm";
import { NSClusters } from "../ns_cluster/contract.ts";
import { NSDomains } from "../ns_domain/contract.ts";
import { NSRecords } from "../ns_record/contract.ts";
import { errors } from "./errors.ts";
import { zoneFileHandlers } from "./handlers.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NSZoneFileService } from "./proto/service_ns_zone_file_pb.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  requires: { domains: NSDomains, records: NSRecords, clusters: NSClusters },
  setup({ deps, serve }) {
    serve(NSZoneFileService, zoneFileHandlers(deps));
  },
});
export default plugin;
