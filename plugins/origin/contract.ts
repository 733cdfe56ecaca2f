import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import { defineReferrers, type OwnedRows, type Referrers } from "edgehelm/rows";
import type { OriginConfigSchema } from "edgehelm/proto/shapes/origin_pb.js";

/** Gives other plugins access to origins. */
export interface Origins extends Pick<OwnedRows<unknown>, "take"> {
  /**
   * Returns the configurations of the origins that exist, as nodes receive them, by id. Users receive the secrets of
   * their own origins only.
   */
  configs(
    call: Call,
    originIds: readonly bigint[],
  ): Promise<ReadonlyMap<bigint, MessageInitShape<typeof OriginConfigSchema>>>;
}
export const Origins: Contract<Origins> = defineContract("origin");

/** The extension point for plugins whose objects refer to origins. */
export const OriginReferrers: Referrers = defineReferrers("origin");

/** A listener for changed origins, whose configurations nodes must fetch again. */
export interface OriginListener {
  changed(call: Call, originIds: readonly bigint[]): Promise<void>;
}
export const OriginListeners: ExtensionPoint<OriginListener> = defineExtensionPoint("origin.listeners");
