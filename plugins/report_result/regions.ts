import type { ReportNodePlace } from "../report_node/contract.ts";
import { LEVELS, measurementOf, type ResultSummary } from "./rules.ts";

/** A result with the place of its report node. */
interface PlacedResult extends ResultSummary, Pick<ReportNodePlace, "location" | "isp"> {
  readonly updatedAt: bigint;
}

/** Combines results by the location and carrier of their report nodes: the worst first, then by name. */
export function regionsOf(results: readonly PlacedResult[]) {
  const groups = Map.groupBy(results, ({ location, isp }) => JSON.stringify([location, isp]));
  const regions = [...groups.values()].map((group) => ({
    location: group[0]!.location,
    isp: group[0]!.isp,
    countReportNodes: BigInt(group.length),
    countReached: BigInt(group.filter(({ isOk }) => isOk === 1n).length),
    updatedAt: group.reduce((newest, { updatedAt }) => updatedAt > newest ? updatedAt : newest, 0n),
    ...measurementOf(group),
  }));
  return regions.sort((one, other) =>
    LEVELS.indexOf(other.level) - LEVELS.indexOf(one.level) || one.connectivity - other.connectivity ||
    compare(one.location, other.location) || compare(one.isp, other.isp)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
