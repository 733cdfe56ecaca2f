import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import type { OriginConfigSchema } from "edgehelm/proto/shapes/origin_pb.js";

/** What other plugins may ask of origins. */
export interface Origins {
  /** Configurations by id, as nodes get them; origins that do not exist are missing from the map. */
  configs(
    call: Call,
    originIds: readonly bigint[],
  ): Promise<ReadonlyMap<bigint, MessageInitShape<typeof OriginConfigSchema>>>;
  /** Refuses, naming the field of the first that fails, unless every origin exists and the caller may use it. */
  requireOwned(call: Call, origins: readonly { readonly field: string; readonly originId: bigint }[]): Promise<void>;
}
export const Origins: Contract<Origins> = defineContract("origin");

/** Hears of origins that nodes must fetch again. */
export interface OriginListener {
  changed(call: Call, originIds: readonly bigint[]): Promise<void>;
}
export const OriginListeners: ExtensionPoint<OriginListener> = defineExtensionPoint("origin.listeners");
