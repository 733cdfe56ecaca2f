import type { Resource } from "../api/resources.ts";
import { linkTo } from "./route.ts";
import { plural } from "./names.ts";

export interface Place {
  readonly text: string;
  readonly link: string;
}

export interface PlaceGroup {
  readonly module: string;
  readonly places: readonly Place[];
}

/** The order of the groups; modules of vendors come after them. */
const ORDER = [
  "ns",
  "server",
  "node",
  "dns",
  "user",
  "plan",
  "finance",
  "dashboard",
  "ticket",
  "admin",
  "log",
  "setting",
];
/** Modules that are shown as part of another one. */
const MERGED: Readonly<Record<string, string>> = { common: "setting", "": "setting", plan: "finance", dns: "setting" };

/** Lists that need another object, on whose page they are. */
const PARTS = ["NSRecord", "ReportResult"];

/** Groups the lists by the module that admins need for them. */
export function placeGroups(resources: readonly Resource[]): PlaceGroup[] {
  const byModule = Map.groupBy(
    resources.filter(({ noun }) => !PARTS.includes(noun)),
    ({ module }) => MERGED[module] ?? module,
  );
  const rank = (module: string) => ORDER.includes(module) ? ORDER.indexOf(module) : ORDER.length;
  return [...byModule].sort(([one], [other]) => rank(one) - rank(other) || one.localeCompare(other))
    .map(([module, own]) => ({
      module,
      places: own.map(({ noun }) => ({ text: plural(noun), link: linkTo(["resource", noun]) })),
    }));
}
