import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** A route as it stands beside a record. */
export interface NSRouteSummary {
  /** 0 for a built-in route. */
  readonly id: bigint;
  readonly name: string;
  readonly code: string;
}

/** Where a record that wants to use routes stands. */
export interface NSRouteScope {
  readonly nsClusterId: bigint;
  readonly nsDomainId: bigint;
  readonly userId: bigint;
}

/** What other plugins may ask of DNS routes. */
export interface NSRoutes {
  /** Routes that exist, by code; the others are missing from the map. */
  summaries(call: Call, codes: readonly string[]): Promise<ReadonlyMap<string, NSRouteSummary>>;
  /** Refuses, naming `field`, unless each code is a route that records there may use. */
  requireCodes(call: Call, field: string, codes: readonly string[], scope: NSRouteScope): Promise<void>;
}
export const NSRoutes: Contract<NSRoutes> = defineContract("ns_route");

/** Where plugins say what uses a route that was created. */
export const NSRouteUses: ExtensionPoint<UseCheck> = defineExtensionPoint("ns_route.uses");
