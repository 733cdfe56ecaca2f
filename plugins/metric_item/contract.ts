import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";
import type { MetricItemSchema } from "edgehelm/proto/models/metric_item_pb.js";

/** A metric as operations answer it. */
export type MetricItemMessage = MessageInitShape<typeof MetricItemSchema> & { readonly id: bigint };

/** What other plugins may ask of metrics. */
export interface MetricItems {
  /** Metrics that exist and are not deleted, by id; the others are missing from the map. */
  byIds(call: Call, metricItemIds: readonly bigint[]): Promise<ReadonlyMap<bigint, MetricItemMessage>>;
  /** Refuses, naming `field`, unless the metric exists. */
  requireItem(call: Call, field: string, metricItemId: bigint): Promise<void>;
  /** The metrics that every cluster counts, those that are off left out; oldest first. */
  counted(call: Call): Promise<readonly MetricItemMessage[]>;
}
export const MetricItems: Contract<MetricItems> = defineContract("metric_item");

/** Where plugins say what uses a metric. */
export const MetricItemUses: ExtensionPoint<UseCheck> = defineExtensionPoint("metric_item.uses");

/** Is told of metrics that change. */
export interface MetricItemListener {
  /** Runs in the transaction of the change. */
  changed(call: Call, metricItemId: bigint): Promise<void>;
}
export const MetricItemListeners: ExtensionPoint<MetricItemListener> = defineExtensionPoint("metric_item.listeners");
