import { type Call, type Contract, defineContract } from "edgehelm";

/** Gives other plugins access to reverse proxies, except the plugin `server`, which this plugin depends on. */
export interface ReverseProxies {
  /** Refuses, with an error that names `field`, a proxy that does not exist or the caller may not use. */
  requireOwned(call: Call, field: string, reverseProxyId: bigint): Promise<void>;
  /** Returns the configurations of existing proxies including their origins, as nodes receive them: JSON objects by id. */
  configs(call: Call, reverseProxyIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Uint8Array>>;
}
export const ReverseProxies: Contract<ReverseProxies> = defineContract("reverse_proxy");
