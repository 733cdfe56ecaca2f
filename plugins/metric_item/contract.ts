import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Call, Contract, ExtensionPoint, Uses } from "edgehelm";
import { defineContract, defineExtensionPoint, defineUses } from "edgehelm";
import type { MetricItemSchema } from "edgehelm/proto/models/metric_item_pb.js";

/** A metric, as responses contain it. */
export type MetricItemMessage = MessageInitShape<typeof MetricItemSchema> & { readonly id: bigint };

/** Lets other plugins look up metrics. */
export interface MetricItems {
  /** Returns metrics by id; metrics that do not exist are missing from the map. */
  byIds(call: Call, metricItemIds: readonly bigint[]): Promise<ReadonlyMap<bigint, MetricItemMessage>>;
  /**
   * Checks that a metric exists.
   *
   * @param field the request field to name in the error
   * @throws `kernel.invalid_field` if it does not
   */
  requireItem(call: Call, field: string, metricItemId: bigint): Promise<void>;
  /** Returns the public metrics that are turned on, oldest first. */
  publicItems(call: Call): Promise<readonly MetricItemMessage[]>;
}
export const MetricItems: Contract<MetricItems> = defineContract("metric_item");

/** Lets plugins report what uses a metric. */
export const MetricItemUses: Uses = defineUses("metric_item");

/** Is notified of changed metrics that are not public. */
export interface MetricItemListener {
  /** Runs in the transaction of the change. */
  changed(call: Call, metricItemId: bigint): Promise<void>;
}
export const MetricItemListeners: ExtensionPoint<MetricItemListener> = defineExtensionPoint("metric_item.listeners");
