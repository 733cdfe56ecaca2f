import type { Call, Contract, ExtensionPoint, Uses } from "edgehelm";
import { defineContract, defineExtensionPoint, defineUses } from "edgehelm";
import type { Summaries } from "edgehelm/rows";

/** A summary of a server: a site, or a TCP or UDP service. */
export interface ServerSummary {
  readonly id: bigint;
  readonly name: string;
  /** The owner; 0 if the server belongs to the installation. */
  readonly userId: bigint;
  readonly nodeClusterId: bigint;
  /** The plan that pays for the server; 0 if it has none. */
  readonly userPlanId: bigint;
}

/** A server that is bound to a plan. */
export interface PlannedServer extends ServerSummary {
  readonly countServerNames: bigint;
}

/** A server about which a caller may report, such as its traffic. */
export interface ServedServer extends ServerSummary {
  /** The unix second until which the caller served it; undefined while it does. */
  readonly servedUntil: bigint | undefined;
}

/** Returns true if the caller served the server, a result of `servedByCaller`, at a time in unix seconds. */
export function wasServed(server: ServedServer | undefined, at: bigint | number): server is ServedServer {
  return server !== undefined && (server.servedUntil === undefined || at <= server.servedUntil);
}

/** Gives other plugins access to servers. */
export interface Servers extends Summaries<ServerSummary> {
  /** Refuses, as not found, a server that does not exist or the caller may not access. */
  requireOwned(call: Call, serverId: bigint): Promise<void>;
  /**
   * Returns the servers about which the caller may report, by id: a node may report about those that it serves or, until
   * `servedUntil`, served before they moved to another cluster; admins may report about all, other callers about none.
   */
  servedByCaller(call: Call, serverIds: readonly bigint[]): Promise<ReadonlyMap<bigint, ServedServer>>;
  /** Returns which of the reverse proxies belong to servers about which the caller may report. */
  proxiesServedByCaller(call: Call, reverseProxyIds: readonly bigint[]): Promise<ReadonlySet<bigint>>;
  /** Returns up to `limit` ids of a user's servers, in ascending order after `afterId`. */
  idsOfUser(call: Call, userId: bigint, afterId: bigint, limit: number): Promise<readonly bigint[]>;
  /** Returns a server with what plans count of it; undefined if it does not exist. */
  planned(call: Call, serverId: bigint): Promise<PlannedServer | undefined>;
  /** Returns the servers bound to a user plan. */
  ofUserPlan(call: Call, userPlanId: bigint): Promise<readonly PlannedServer[]>;
  /** Returns the servers that use a reverse proxy, at most `limit`. */
  usingReverseProxy(call: Call, reverseProxyId: bigint, limit: number): Promise<readonly ServerSummary[]>;
  /** Returns the reverse proxies among `ids` that servers of the user use. */
  proxiesOnSitesOf(call: Call, ids: readonly bigint[], userId: bigint): Promise<readonly bigint[]>;
  /** Returns the reverse proxies among `ids` that servers of other owners than `userId` use. */
  proxiesOnSitesOfOthers(call: Call, ids: readonly bigint[], userId: bigint): Promise<readonly bigint[]>;
  /**
   * Returns the servers of an owner that have the names, by name: with the name itself, or a wildcard that matches it.
   * Names that no server of the owner has are absent.
   */
  named(call: Call, userId: bigint, names: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  /** Returns the clusters that serve the servers of a user. */
  clustersOfUser(call: Call, userId: bigint): Promise<readonly bigint[]>;
  /**
   * Returns those of the servers whose plan does not include a feature, such as `server.waf`. A plan without a list of
   * features, and no plan, includes all.
   */
  lackingFeature(
    call: Call,
    servers: readonly Pick<ServerSummary, "id" | "userPlanId">[],
    feature: string,
  ): Promise<ReadonlySet<bigint>>;
  /** Refuses, with an error that names `field`, a server whose plan does not include a feature. */
  requireFeature(call: Call, field: string, serverId: bigint, feature: string): Promise<void>;
  /** Returns what must be removed before servers can do with these features only; empty if nothing. */
  featureObstacles(
    call: Call,
    servers: readonly PlannedServer[],
    features: ReadonlySet<string>,
  ): Promise<readonly string[]>;
  /** Marks servers and their clusters for update. */
  configChanged(call: Call, serverIds: readonly bigint[]): Promise<void>;
}
export const Servers: Contract<Servers> = defineContract("server");

/** The extension point for plugins that use servers. */
export const ServerUses: Uses = defineUses("server");

/** A kind of object of another plugin that a site can refer to. */
export type ServerReference = "user_plan" | "reverse_proxy" | "http_web" | "ssl_policy";

/** Resolves references of sites to objects of one kind. */
export interface ServerReferenceResolver {
  readonly kind: ServerReference;
  /**
   * Refuses, with an error that names `field`, an object that does not exist or that sites of the user may not use. An
   * object of the installation may become the user's.
   *
   * @param previousUserId the owner before a transfer of the site, whose object may move along; runs after the transfer
   */
  requireFor(call: Call, field: string, id: bigint, userId: bigint, previousUserId?: bigint): Promise<void>;
  /** Returns the only cluster in which sites may use the object; 0 if any may. Objects that do not exist have none. */
  clusterOf?(call: Call, id: bigint): Promise<bigint>;
  /**
   * Refuses, with an error that names `field`, a server for which the object has no room: a stored one with its changed
   * number of names, or a new one with id 0.
   */
  requireRoom?(
    call: Call,
    field: string,
    id: bigint,
    server: Pick<PlannedServer, "id" | "countServerNames">,
  ): Promise<void>;
  /** Returns the features that plans include, by id; plans that include all are absent. */
  features?(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, ReadonlySet<string>>>;
  /** Returns those of the objects whose servers nodes serve; without this method all. */
  served?(call: Call, ids: readonly bigint[]): Promise<ReadonlySet<bigint>>;
  /** Returns the configurations that nodes receive for the references: JSON objects of existing objects, by id. */
  configs?(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, Uint8Array>>;
}

/** A listener for servers that were transferred to another owner. */
export interface ServerTransferListener {
  /** Runs in the transaction of the transfer, after it. */
  transferred(call: Call, server: ServerSummary, previousUserId: bigint): Promise<void>;
}
export const ServerTransferListeners: ExtensionPoint<ServerTransferListener> = defineExtensionPoint(
  "server.transfers",
);

/** Reports what servers use of a feature that their plans may not include. */
export interface ServerFeatureUse {
  /** The code of the feature, such as `server.waf`. */
  readonly feature: string;
  /** Returns what must be removed before servers can do without the feature, such as `delete the firewall policy "x"`. */
  obstacles(
    call: Call,
    serverIds: readonly bigint[],
  ): Promise<readonly { readonly serverId: bigint; readonly text: string }[]>;
}
export const ServerFeatureUses: ExtensionPoint<ServerFeatureUse> = defineExtensionPoint("server.feature_uses");

/** The extension point for plugins that sites refer to; references of a kind without a resolver are refused. */
export const ServerReferenceResolvers: ExtensionPoint<ServerReferenceResolver> = defineExtensionPoint(
  "server.references",
);
