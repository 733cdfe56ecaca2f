import { type Call, type Contract, defineContract } from "edgehelm";

/** What other plugins may ask of reverse proxies. Servers cannot: this plugin requires theirs. */
export interface ReverseProxies {
  /** Refuses, naming `field`, unless the proxy exists and the caller may use it. */
  requireOwned(call: Call, field: string, reverseProxyId: bigint): Promise<void>;
  /** Configurations with origins expanded, as nodes get them: JSON objects by id. Those that do not exist are missing. */
  configs(call: Call, reverseProxyIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Uint8Array>>;
}
export const ReverseProxies: Contract<ReverseProxies> = defineContract("reverse_proxy");
