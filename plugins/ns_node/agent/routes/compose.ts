import type { ZoneRow } from "../store/zone_file.ts";
import { type AddressSet, networksOf, NO_ADDRESSES, union, without } from "./addresses.ts";

/** A module of a zone, with its file: it responds for some names in place of what the zone has. */
export interface Tailoring {
  /** Unique in a zone. */
  readonly key: string;
  readonly mode: "subnet" | "geodb" | "weighted";
  readonly ttl: number;
  /** The content of the file. */
  readonly text: string;
}

/** A route that clients are matched with. */
export interface MatchedRoute {
  readonly code: string;
  readonly addresses: AddressSet;
}

export interface Matching {
  /** The routes with addresses; the first that matches a client wins. */
  readonly routes: readonly MatchedRoute[];
  /** True if there is a database that knows the country of an address. */
  readonly hasCountries: boolean;
}

const DEFAULT_ROUTE = "default";
const DEFAULT_WEIGHT = 10;
const COUNTRY = /^world:([A-Z]{2})$/;
/** The module matches whole names, and a type with its own rules for each client would break the zone. */
const EXCLUDED_TYPES = new Set(["SOA", "NS"]);
/** In this order Knot asks the modules. */
const MODES = ["subnet", "geodb", "weighted"] as const;

/** Composes what a zone has for the clients of some routes only, and for names whose records have weights. */
export function tailoringsOf(zone: string, rows: Iterable<ZoneRow>, matching: Matching): Tailoring[] {
  const parts = new Map<string, Omit<Tailoring, "text"> & { names: string[] }>();
  const add = (mode: Tailoring["mode"], type: string, ttl: number, name: string, views: readonly View[]) => {
    if (views.length === 0) return;
    const key = `${mode}-${type}-${ttl}`;
    const part = parts.get(key) ?? { key, mode, ttl, names: [] };
    parts.set(key, part);
    const owner = name === "@" ? zone : `${name}.${zone}`;
    part.names.push([`${owner}.:`, ...views.map((view) => viewText(view, type))].join("\n"));
  };
  for (const set of tailoredSets([...rows])) {
    const { name, type } = set[0]!;
    if (EXCLUDED_TYPES.has(type) || name.startsWith("*")) continue;
    const ttl = Math.min(...set.map((row) => row.ttl));
    add("subnet", type, ttl, name, subnetViews(set, matching.routes));
    if (matching.hasCountries) add("geodb", type, ttl, name, countryViews(set));
    add("weighted", type, ttl, name, weightedViews(set));
  }
  return [...parts.values()]
    .sort((a, b) => MODES.indexOf(a.mode) - MODES.indexOf(b.mode) || (a.key < b.key ? -1 : 1))
    .map(({ names, ...part }) => ({ ...part, text: `${names.join("\n")}\n` }));
}

/** Returns the records of the names and types of which some records are for some clients only, or have weights. */
function tailoredSets(rows: readonly ZoneRow[]): Iterable<readonly ZoneRow[]> {
  const sets = new Map<string, ZoneRow[]>();
  const keyOf = ({ name, type }: ZoneRow) => `${name} ${type}`;
  for (const row of rows) {
    const isPlain = row.type !== "CNAME" && weightOf(row) === DEFAULT_WEIGHT &&
      (row.routeCodes.length === 0 || row.routeCodes.length === 1 && row.routeCodes[0] === DEFAULT_ROUTE);
    if (!isPlain) sets.set(keyOf(row), []);
  }
  if (sets.size > 0) { for (const row of rows) sets.get(keyOf(row))?.push(row); }
  return sets.values();
}

interface View {
  readonly match: string;
  readonly data: readonly string[];
}

function subnetViews(set: readonly ZoneRow[], routes: readonly MatchedRoute[]): View[] {
  const views: View[] = [];
  let taken = NO_ADDRESSES;
  for (const { code, addresses } of routes) {
    const data = dataOf(set.filter(({ routeCodes }) => routeCodes.includes(code)));
    if (data.length === 0) continue;
    views.push(...networksOf(without(addresses, taken)).map((net) => ({ match: `net: ${net}`, data })));
    taken = union(taken, addresses);
  }
  return views;
}

function countryViews(set: readonly ZoneRow[]): View[] {
  const codes = new Set(set.flatMap(({ routeCodes }) => routeCodes));
  return [...codes].sort().flatMap((code) => {
    const country = COUNTRY.exec(code)?.[1];
    if (country === undefined) return [];
    return [{ match: `geo: "${country}"`, data: dataOf(set.filter(({ routeCodes }) => routeCodes.includes(code))) }];
  });
}

/** Returns a view for each record, if a response has one of them: several aliases of a name, or different weights. */
function weightedViews(set: readonly ZoneRow[]): View[] {
  const all = set.filter(({ routeCodes }) => routeCodes.length === 0 || routeCodes.includes(DEFAULT_ROUTE));
  const rows = served(all);
  const weights = new Set(rows.map(weightOf));
  if (rows.length < 2 || rows[0]!.type !== "CNAME" && weights.size < 2) return [];
  return rows.map((row) => ({ match: `weight: ${weightOf(row)}`, data: [row.data] }));
}

function weightOf({ weight = 0 }: ZoneRow): number {
  return weight || DEFAULT_WEIGHT;
}

/** Returns the records that are up, or all of them if none is. */
function served(rows: readonly ZoneRow[]): readonly ZoneRow[] {
  const up = rows.filter(({ isUp }) => isUp);
  return up.length > 0 ? up : rows;
}

function dataOf(rows: readonly ZoneRow[]): string[] {
  return [...new Set(served(rows).map(({ data }) => data))].sort();
}

function viewText({ match, data }: View, type: string): string {
  const values = data.map((text) => `"${byNumber(text).replaceAll('"', '\\"')}"`);
  return `  - ${match}\n    ${type}: [${values.join(", ")}]`;
}

/** Writes escaped quotes and backslashes as numbers: in the file of the module a backslash escapes nothing but a quote. */
function byNumber(text: string): string {
  return text.replace(/\\(["\\])/g, (_, character) => character === '"' ? "\\034" : "\\092");
}
