import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineUses, type Uses } from "edgehelm";
import type { NSRouteSchema } from "edgehelm/proto/models/ns_route_pb.js";

/** A summary of a route, as shown with a record. */
export interface NSRouteSummary {
  /** 0 for a built-in route. */
  readonly id: bigint;
  readonly name: string;
  readonly code: string;
}

/** The location of a record that uses routes. */
export interface NSRouteScope {
  readonly nsClusterId: bigint;
  readonly nsDomainId: bigint;
  readonly userId: bigint;
}

/** A route, as records contain it. A built-in one has no id. */
export type NestedNSRoute = MessageInitShape<typeof NSRouteSchema>;

/** Gives other plugins access to DNS routes. */
export interface NSRoutes {
  /** Returns the routes that exist, by code, as the caller may see them, without the objects in them. */
  nested(call: Call, codes: readonly string[]): Promise<ReadonlyMap<string, NestedNSRoute>>;
  /** Returns the routes that exist, by code. */
  summaries(call: Call, codes: readonly string[]): Promise<ReadonlyMap<string, NSRouteSummary>>;
  /** Refuses, with an error that names `field`, a code that records in the scope may not use. */
  requireCodes(call: Call, field: string, codes: readonly string[], scope: NSRouteScope): Promise<void>;
}
export const NSRoutes: Contract<NSRoutes> = defineContract("ns_route");

/** The extension point for plugins that use custom routes. */
export const NSRouteUses: Uses = defineUses("ns_route");
