import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** A server (a site, or a TCP or UDP service) as it stands beside other things. */
export interface ServerSummary {
  readonly id: bigint;
  readonly name: string;
  /** Its owner; 0 when it is the installation's own. */
  readonly userId: bigint;
  readonly nodeClusterId: bigint;
  /** The plan that pays for it; 0 when it has none. */
  readonly userPlanId: bigint;
}

/** What other plugins may ask of servers. */
export interface Servers {
  /** Servers that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, serverIds: readonly bigint[]): Promise<ReadonlyMap<bigint, ServerSummary>>;
  /** Refuses with not found unless the server exists and the caller may act on it. */
  requireOwned(call: Call, serverId: bigint): Promise<void>;
  /** Ids of a user's live servers, ascending, after `afterId`. */
  idsOfUser(call: Call, userId: bigint, afterId: bigint, limit: number): Promise<readonly bigint[]>;
  /** Live servers that a user plan is bound to. */
  ofUserPlan(call: Call, userPlanId: bigint): Promise<readonly ServerSummary[]>;
  /** Live servers that a reverse proxy serves, at most `limit`. */
  usingReverseProxy(call: Call, reverseProxyId: bigint, limit: number): Promise<readonly ServerSummary[]>;
  /** Marks servers, and so their clusters, for update. */
  configChanged(call: Call, serverIds: readonly bigint[]): Promise<void>;
}
export const Servers: Contract<Servers> = defineContract("server");

/** Where plugins say what uses a server. */
export const ServerUses: ExtensionPoint<UseCheck> = defineExtensionPoint("server.uses");

/** What a site can refer to that other plugins keep. */
export type ServerReference = "user_plan" | "reverse_proxy" | "http_web";

/** Keeps the things of one kind that sites refer to. */
export interface ServerReferenceKeeper {
  readonly kind: ServerReference;
  /** Refuses, naming `field`, unless the thing exists and may serve a site of this user. */
  requireFor(call: Call, field: string, id: bigint, userId: bigint): Promise<void>;
  /** What nodes get in place of the reference: JSON objects by id. Those that do not exist are missing. */
  configs?(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, Uint8Array>>;
}

/** Where plugins say which references are right; ids of a kind that nothing keeps are not checked. */
export const ServerReferenceKeepers: ExtensionPoint<ServerReferenceKeeper> = defineExtensionPoint("server.references");
