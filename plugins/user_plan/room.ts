import { type Call, invalid } from "edgehelm";
import type { PlanSummary } from "../plan/contract.ts";
import type { PlannedServer, Servers } from "../server/contract.ts";

/** A site that a plan is to serve: a stored one with changed names, or a new one with id 0. */
export type PlannedSite = Pick<PlannedServer, "id" | "countServerNames">;

/** Returns why a plan has no room for a site beside others; undefined if it has. */
export function lackOfRoom(
  plan: PlanSummary,
  bound: readonly PlannedServer[],
  site: PlannedSite,
): string | undefined {
  const others = bound.filter(({ id }) => id !== site.id);
  const names = others.reduce((sum, { countServerNames }) => sum + countServerNames, site.countServerNames);
  return [
    excess("sites", plan.totalServers, BigInt(others.length + 1)),
    excess("names for each site", plan.totalServerNamesPerServer, site.countServerNames),
    excess("names", plan.totalServerNames, names),
  ].find((text) => text !== undefined);
}

/**
 * Refuses a site, with an error that names `field`, for which the plan has no room: too many sites, or too many names
 * of this site or of all sites together.
 */
export async function requireRoom(
  call: Call,
  servers: Servers | undefined,
  field: string,
  userPlanId: bigint,
  plan: PlanSummary,
  site: PlannedSite,
): Promise<void> {
  const exceeded = lackOfRoom(plan, await servers?.ofUserPlan(call, userPlanId) ?? [], site);
  if (exceeded !== undefined) throw invalid(field, `the plan "${plan.name}" of user plan ${userPlanId} ${exceeded}`);
}

function excess(what: string, max: number, needed: bigint): string | undefined {
  return max === 0 || needed <= max ? undefined : `allows ${max} ${what}, this would be ${needed}`;
}

/** Returns what must be removed before sites fit into a plan; empty if they fit. */
export function obstacles(plan: PlanSummary, sites: readonly PlannedServer[]): string[] {
  const [maxSites, maxNamesEach, maxNames] = [
    plan.totalServers,
    plan.totalServerNamesPerServer,
    plan.totalServerNames,
  ].map((max) => max === 0 ? undefined : BigInt(max));
  const found: string[] = [];
  if (maxSites !== undefined && BigInt(sites.length) > maxSites) {
    const names = sites.map(({ name }) => `"${name}"`).join(", ");
    found.push(`unbind or delete ${BigInt(sites.length) - maxSites} of the sites ${names}`);
  }
  for (const { name, countServerNames } of sites) {
    if (maxNamesEach === undefined || countServerNames <= maxNamesEach) continue;
    found.push(`remove ${countServerNames - maxNamesEach} names of the site "${name}"`);
  }
  const all = sites.reduce((sum, { countServerNames }) => sum + countServerNames, 0n);
  if (maxNames !== undefined && all > maxNames) found.push(`remove ${all - maxNames} names in total`);
  return found;
}
