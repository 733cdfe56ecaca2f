import { type Call, distinct, type ExtensionPoint, invalid } from "edgehelm";
import { actsForInstallation } from "./claims.ts";
import {
  type PlannedServer,
  type ServerFeatureUse,
  ServerFeatureUses,
  type ServerReferenceResolver,
  ServerReferenceResolvers,
  type ServerSummary,
} from "./contract.ts";
import type { Listener } from "./rules.ts";

/** The features by which users choose the ports of listeners; admins choose any. */
const PORT_FEATURES: Partial<Record<Listener, string>> = {
  tcpJSON: "server.tcp.port",
  tlsJSON: "server.tcp.port",
  udpJSON: "server.udp.port",
};

/** The features that the plans of sites include. A plan without a list of features, or no plan, includes all. */
export class SiteFeatures {
  readonly #resolvers: readonly ServerReferenceResolver[];
  readonly #uses: readonly ServerFeatureUse[];

  constructor(resolvers: readonly ServerReferenceResolver[], uses: readonly ServerFeatureUse[]) {
    this.#resolvers = resolvers;
    this.#uses = uses;
  }

  /** Returns those of the sites whose plan does not include a feature. */
  async lacking(
    call: Call,
    sites: readonly Pick<ServerSummary, "id" | "userPlanId">[],
    feature: string,
  ): Promise<ReadonlySet<bigint>> {
    const included = await this.#ofPlans(call, sites.map(({ userPlanId }) => userPlanId));
    const without = sites.filter(({ userPlanId }) => included.get(userPlanId)?.has(feature) === false);
    return new Set(without.map(({ id }) => id));
  }

  /** Refuses, with an error that names `field`, a site whose plan does not include a feature. */
  async require(
    call: Call,
    field: string,
    site: Pick<ServerSummary, "id" | "userPlanId">,
    feature: string,
  ): Promise<void> {
    if ((await this.lacking(call, [site], feature)).size === 0) return;
    throw invalid(
      field,
      `the plan of the site, user plan ${site.userPlanId}, does not include the feature "${feature}"`,
    );
  }

  /** Refuses ports that a user chooses for a site whose plan does not include that. */
  async requirePorts(
    call: Call,
    site: Pick<ServerSummary, "id" | "userPlanId">,
    listener: Listener,
    json: Uint8Array,
    current: Uint8Array = new Uint8Array(),
  ): Promise<void> {
    const feature = PORT_FEATURES[listener];
    if (feature === undefined || actsForInstallation(call) || portsIn(json) === portsIn(current)) return;
    await this.require(call, listener, site, feature);
  }

  /** Refuses a plan for a site that uses features which the plan does not include. */
  async requirePlan(call: Call, field: string, site: PlannedServer, userPlanId: bigint): Promise<void> {
    const included = (await this.#ofPlans(call, [userPlanId])).get(userPlanId);
    const found = included === undefined ? [] : await this.obstacles(call, [site], included);
    if (found.length > 0) throw invalid(field, `user plan ${userPlanId} does not fit: first ${found.join("; ")}`);
  }

  /** Returns what must be removed before sites can do with these features; empty if nothing. */
  async obstacles(
    call: Call,
    sites: readonly PlannedServer[],
    included: ReadonlySet<string>,
  ): Promise<readonly string[]> {
    const found: string[] = [];
    for (const use of this.#uses.filter(({ feature }) => !included.has(feature))) {
      for (const { serverId, text } of await use.obstacles(call, sites.map(({ id }) => id))) {
        found.push(`${text} of the site "${sites.find(({ id }) => id === serverId)!.name}" (${use.feature})`);
      }
    }
    return found;
  }

  async #ofPlans(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, ReadonlySet<string>>> {
    const plans = distinct(ids.filter((id) => id !== 0n));
    const resolver = this.#resolvers.find(({ kind }) => kind === "user_plan");
    return plans.length === 0 ? new Map() : await resolver?.features?.(call, plans) ?? new Map();
  }
}

/** Creates the features from what plugins contribute. */
export function siteFeatures(contributions: <Shape>(point: ExtensionPoint<Shape>) => readonly Shape[]): SiteFeatures {
  return new SiteFeatures(contributions(ServerReferenceResolvers), contributions(ServerFeatureUses));
}

/** Returns the ports of stored or checked listen settings as a text that can be compared. */
function portsIn(json: Uint8Array): string {
  if (json.length === 0) return "";
  const { listen = [] } = JSON.parse(new TextDecoder().decode(json)) as { listen?: { portRange: string }[] };
  return listen.map(({ portRange }) => portRange).sort().join(",");
}
