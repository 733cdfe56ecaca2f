import { definePlugin, optional, type Plugin } from "edgehelm";
import { NodeClusters } from "../node_cluster/contract.ts";
import { MetricItemListeners, MetricItems, MetricItemUses } from "./contract.ts";
import { errors } from "./errors.ts";
import { itemMessage, metricItemHandlers } from "./handlers.ts";
import * as createMetricItems from "./migrations/0001_create_metric_items.ts";
import manifest from "./plugin.json" with { type: "json" };
import { MetricItemService } from "./proto/service_metric_item_pb.ts";
import { metricItemStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_metric_items": createMetricItems },
  requires: { clusters: optional(NodeClusters) },
  setup({ db, deps: { clusters }, serve, provide, contributions }) {
    const items = metricItemStore(db<Tables>());
    const uses = contributions(MetricItemUses);
    serve(
      MetricItemService,
      metricItemHandlers({ items, clusters, uses, listeners: contributions(MetricItemListeners) }),
    );
    const { summaries, require } = items.references(itemMessage);
    provide(MetricItems, {
      byIds: summaries,
      requireItem: require,
      publicItems: async (call) => (await items.public.all(call, {})).map(itemMessage),
    });
  },
});
export default plugin;
