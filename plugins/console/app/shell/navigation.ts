import type { Resource } from "../api/resources.ts";
import { language } from "../texts/mod.ts";
import { areaPages } from "./area.ts";
import { offeredPluginPages } from "./plugin_pages.ts";
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
const PARTS = ["NSRecord", "ReportResult", "NodeClusterMetricItem", "UserAccessKey"];

/** True if the list has a place of its own. What is available is listed for those who choose something for another. */
function isPlace({ noun, list }: Resource): boolean {
  return !PARTS.includes(noun) && !list.method.localName.startsWith("findAllAvailable");
}

/** Groups the pages, and the lists by the module that admins need for them; pages made by hand come first. */
export function placeGroups(resources: readonly Resource[]): PlaceGroup[] {
  const pages = areaPages();
  const replaced = pages.flatMap(({ replaces }) => replaces ?? []);
  const places = [
    ...pages.flatMap(({ key, title, group }) =>
      group === undefined ? [] : [{ module: group, text: title[language.value], link: linkTo([key]) }]
    ),
    ...offeredPluginPages().map(({ key, title, group }) => ({
      module: group,
      text: title[language.value] ?? title.en,
      link: linkTo(["plugin", key]),
    })),
    ...resources.filter((resource) => isPlace(resource) && !replaced.includes(resource.noun)).map((
      { noun, module },
    ) => ({
      module,
      text: plural(noun),
      link: linkTo(["resource", noun]),
    })),
  ];
  const byModule = Map.groupBy(places, ({ module }) => MERGED[module] ?? module);
  const rank = (module: string) => ORDER.includes(module) ? ORDER.indexOf(module) : ORDER.length;
  return [...byModule].sort(([one], [other]) => rank(one) - rank(other) || one.localeCompare(other))
    .map(([module, own]) => ({
      module,
      places: own.map(({ text, link }) => ({ text, link })),
    }));
}
