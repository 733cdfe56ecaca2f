/** The parts of a request in which a text is searched, as keywords of the server begin. */
export const PLACES = ["any", "status", "requestPath", "method", "referer"] as const;

const FIELDS = ["day", "hourFrom", "hourTo", "serverId", "domain", "ip", "place", "text", "only"] as const;

/** A search as it is typed; it is in the address of the page. */
export type Search = Readonly<Record<(typeof FIELDS)[number], string>>;

/** Reads a search from the address; without a day, it is today. */
export function searchIn(parameters: URLSearchParams, now: Date = new Date()): Search {
  const read = Object.fromEntries(FIELDS.map((name) => [name, parameters.get(name) ?? ""])) as Search;
  return { ...read, day: read.day || now.toISOString().slice(0, 10), place: read.place || "any" };
}

/** Returns the part of a search that its address names. */
export function addressOf({ place, ...others }: Search): Readonly<Record<string, string>> {
  return { ...others, place: place === "any" ? "" : place };
}

/** Returns a search without the spaces around what was typed. */
export function trimmed(search: Search): Search {
  return Object.fromEntries(Object.entries(search).map(([name, value]) => [name, value.trim()])) as Search;
}

/** True if the search leaves out logs of the day. */
export function isNarrow({ day: _, place: __, ...others }: Search): boolean {
  return Object.values(others).some((value) => value !== "");
}

/** Converts a search to the filter of a request. */
export function filterOf(search: Search): Record<string, unknown> {
  const { day, hourFrom, hourTo, serverId, domain, ip, place, text, only } = search;
  if (!/^\d*$/.test(serverId)) throw new Error("serverId: must be a number");
  const hours = hourFrom === "" && hourTo === "" ? {} : { hourFrom: hourFrom || "0", hourTo: hourTo || "23" };
  return {
    ...{ day: day.replaceAll("-", ""), domain, ip, ...hours },
    serverId: BigInt(serverId || 0),
    keyword: place === "any" || text === "" ? text : `${place}:${text}`,
    hasError: only === "errors",
    hasFirewallPolicy: only === "firewall",
  };
}
