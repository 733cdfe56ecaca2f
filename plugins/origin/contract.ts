import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import type { OriginConfigSchema } from "edgehelm/proto/shapes/origin_pb.js";

/** Gives other plugins access to origins. */
export interface Origins {
  /** Returns the configurations of the origins that exist, as nodes receive them, by id. */
  configs(
    call: Call,
    originIds: readonly bigint[],
  ): Promise<ReadonlyMap<bigint, MessageInitShape<typeof OriginConfigSchema>>>;
  /** Refuses, with an error that names its field, the first origin that does not exist or the caller may not use. */
  requireOwned(call: Call, origins: readonly { readonly field: string; readonly originId: bigint }[]): Promise<void>;
}
export const Origins: Contract<Origins> = defineContract("origin");

/** A listener for changed origins, whose configurations nodes must fetch again. */
export interface OriginListener {
  changed(call: Call, originIds: readonly bigint[]): Promise<void>;
}
export const OriginListeners: ExtensionPoint<OriginListener> = defineExtensionPoint("origin.listeners");
