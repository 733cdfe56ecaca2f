import { type Call, distinct } from "edgehelm";
import { addressVersion } from "edgehelm/fields";
import type { NetworkAddress } from "edgehelm/proto/shapes/network_address_pb.js";
import type { APINodeStore } from "./store.ts";

/** Returns the access addresses of the API nodes that are on, the primary one first. */
export async function accessEndpoints(call: Call, nodes: APINodeStore): Promise<readonly string[]> {
  const rows = await nodes.reachable.all(call, {});
  return distinct(rows.flatMap(({ accessAddrsJSON }) => {
    const addresses = JSON.parse(new TextDecoder().decode(accessAddrsJSON!)) as Partial<NetworkAddress>[] | null;
    return (addresses ?? []).map(endpoint);
  }));
}

function endpoint({ protocol, host = "", portRange = "" }: Partial<NetworkAddress>): string {
  const name = addressVersion(host) === 6 ? `[${host}]` : host;
  return `${protocol || "http"}://${name}:${portRange.split("-")[0]}`;
}
