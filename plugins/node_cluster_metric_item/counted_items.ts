import { create } from "@bufbuild/protobuf";
import { jsonBytes } from "edgehelm";
import { MetricItemSchema } from "edgehelm/proto/models/metric_item_pb.js";
import type { MetricItemMessage, MetricItems } from "../metric_item/contract.ts";
import type { NodeConfigPart } from "../node/contract.ts";
import type { NodeClusterMetricItemStore } from "./store.ts";

/** Adds metrics to the configuration of a node: those of its clusters and public ones, except those that are off. */
export function countedItems(pairs: NodeClusterMetricItemStore, items: MetricItems): NodeConfigPart {
  return {
    name: "metricItems",
    async compose(call, { clusterIds }) {
      const rows = await Promise.all(clusterIds.map((nodeClusterId) => pairs.ofCluster.all(call, { nodeClusterId })));
      const counted = new Map(await items.byIds(call, rows.flat().map(({ metricItemId }) => metricItemId)));
      for (const item of await items.publicItems(call)) counted.set(item.id, item);
      const enabled = [...counted.values()].filter(({ isOn }) => isOn).sort((a, b) => a.id < b.id ? -1 : 1);
      return `[${enabled.map(textOf).join(",")}]`;
    },
  };
}

function textOf(item: MetricItemMessage): string {
  return new TextDecoder().decode(jsonBytes(MetricItemSchema, create(MetricItemSchema, item)));
}
