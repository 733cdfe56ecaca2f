import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";

/** What other plugins may ask of reverse proxies. */
export interface ReverseProxies {
  /** Refuses, naming `field`, unless the proxy exists and the caller may use it. */
  requireOwned(call: Call, field: string, reverseProxyId: bigint): Promise<void>;
  /** Configurations with origins expanded, as nodes get them: JSON objects by id. Those that do not exist are missing. */
  configs(call: Call, reverseProxyIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Uint8Array>>;
}
export const ReverseProxies: Contract<ReverseProxies> = defineContract("reverse_proxy");

/** Hears of proxies that nodes must fetch again; for those that put proxies on sites. */
export interface ReverseProxyListener {
  /** The proxies, or origins in them, were changed. */
  changed(call: Call, reverseProxyIds: readonly bigint[]): Promise<void>;
}
export const ReverseProxyListeners: ExtensionPoint<ReverseProxyListener> = defineExtensionPoint(
  "reverse_proxy.listeners",
);

/** Knows the sites that proxies are on: a user may change the proxy of a site of theirs, whoever made it. */
export interface ReverseProxySites {
  /** Whether a live site of the user has the proxy. */
  isOnSiteOf(call: Call, reverseProxyId: bigint, userId: bigint): Promise<boolean>;
}
export const ReverseProxySitePoint: ExtensionPoint<ReverseProxySites> = defineExtensionPoint("reverse_proxy.sites");
