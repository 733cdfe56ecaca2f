import { writeJson } from "../../../parts/json_bytes.ts";
import { callPath } from "../../../shell/call.ts";
import { addOrigin, type Address } from "./origins.ts";

/** The types of sites of the form. */
export const SITE_TYPES = ["httpProxy", "tcpProxy", "udpProxy"] as const;
export type SiteType = (typeof SITE_TYPES)[number];

/** The fields of the form for a new site. */
export interface NewSite {
  readonly type: SiteType;
  readonly name: string;
  /** The domain names, separated by spaces; only websites have them. */
  readonly names: string;
  /** The port of the nodes; websites have the usual one. */
  readonly port: string;
  readonly nodeClusterId: string;
  readonly userPlanId: string;
  readonly userId: string;
  readonly address: Address;
}

/** The site is there, but its origin is not, and it could not be removed again. */
export class SiteLeft extends Error {
  readonly serverId: bigint;

  constructor(serverId: bigint, cause: unknown) {
    super("the site has no origin", { cause });
    this.serverId = serverId;
  }
}

/** The origin was refused, and nothing is left. */
export class OriginRefused extends Error {
  constructor(cause: unknown) {
    super("the origin was refused", { cause });
  }
}

/** Adds a site with its origin. The site comes first: a refused one has cost nothing, and it can be taken back. */
export async function addSite(site: NewSite): Promise<bigint> {
  const serverId = (await callPath("ServerService/createServer", requestOf(site)))["serverId"] as bigint;
  try {
    await addOrigin(serverId, undefined, "primary", { ...site.address, name: "", weight: 10 });
  } catch (error) {
    await callPath("ServerService/deleteServer", { serverId }).catch(() => {
      throw new SiteLeft(serverId, error);
    });
    throw new OriginRefused(error);
  }
  return serverId;
}

/** Returns the request that adds the site without its origin. */
export function requestOf(site: NewSite): Record<string, unknown> {
  const { type, name, names, port } = site;
  const listen = (protocol: string, portRange: string) => writeJson({ isOn: true, listen: [{ protocol, portRange }] });
  const owners = {
    nodeClusterId: BigInt(site.nodeClusterId || 0),
    userPlanId: BigInt(site.userPlanId || 0),
    userId: BigInt(site.userId || 0),
  };
  if (type === "tcpProxy") return { type, name, ...owners, tcpJSON: listen("tcp", port) };
  if (type === "udpProxy") return { type, name, ...owners, udpJSON: listen("udp", port) };
  const entries = names.split(/[\s,]+/).filter((each) => each !== "").map((each) => ({ name: each, type: "full" }));
  return { type, name, ...owners, serverNamesJSON: writeJson(entries), httpJSON: listen("http", "80") };
}
