import { create } from "@bufbuild/protobuf";
import { jsonBytes } from "edgehelm";
import { MetricItemSchema } from "edgehelm/proto/models/metric_item_pb.js";
import type { MetricItemMessage, MetricItems } from "../metric_item/contract.ts";
import type { NodeConfigPart } from "../node/contract.ts";
import type { NodeClusterMetricItemStore } from "./store.ts";

/** What a node counts: what its clusters were told to, and what is public; what is off is left out. */
export function countedItems(pairs: NodeClusterMetricItemStore, items: MetricItems): NodeConfigPart {
  return {
    name: "metricItems",
    async compose(call, { clusterIds }) {
      const told = await Promise.all(clusterIds.map((nodeClusterId) => pairs.ofCluster.all(call, { nodeClusterId })));
      const counted = new Map(await items.byIds(call, told.flat().map(({ metricItemId }) => metricItemId)));
      for (const item of await items.publicItems(call)) counted.set(item.id, item);
      const on = [...counted.values()].filter(({ isOn }) => isOn).sort((a, b) => a.id < b.id ? -1 : 1);
      return `[${on.map(textOf).join(",")}]`;
    },
  };
}

function textOf(item: MetricItemMessage): string {
  return new TextDecoder().decode(jsonBytes(MetricItemSchema, create(MetricItemSchema, item)));
}
