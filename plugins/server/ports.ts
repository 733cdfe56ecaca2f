import { type Call, invalid, jsonField } from "edgehelm";
import { ListenBlockSchema } from "edgehelm/proto/shapes/listen_block_pb.js";
import type { NetworkAddress } from "edgehelm/proto/shapes/network_address_pb.js";
import { actsForInstallation } from "./claims.ts";
import { errors } from "./errors.ts";
import { type Listener, LISTENERS } from "./rules.ts";
import type { ServerStore } from "./store.ts";

/** The ports below which users may only have those of the web. */
const FIRST_FREE_PORT = 1024;
const WEB_PORTS: Partial<Record<Listener, number>> = { httpJSON: 80, httpsJSON: 443 };
/** Hosts that mean every address of a node. */
const ANY_HOST = ["", "0.0.0.0", "::"];
const MAX_ADDRESSES = 20;
const MAX_PORTS_PER_ADDRESS = 100;

/** A server whose listen settings change; id 0 for a new one. */
export interface Listening {
  readonly id: bigint;
  readonly nodeClusterId: bigint;
}

/**
 * Refuses ports that a user may not listen on: those that another server of the cluster needs for itself, and those that
 * are known for something else. What the server has already may stay.
 */
export async function requirePorts(
  call: Call,
  servers: Pick<ServerStore, "portHolder">,
  { id, nodeClusterId }: Listening,
  listener: Listener,
  requested: Uint8Array,
  current: Uint8Array = new Uint8Array(),
): Promise<void> {
  if (actsForInstallation(call)) return;
  const kept = new Set(addressesIn(listener, current).map(rangeOf));
  const added = addressesIn(listener, requested);
  if (added.length > MAX_ADDRESSES) {
    throw invalid(`${listener}.listen`, `must have at most ${MAX_ADDRESSES} addresses, got ${added.length}`);
  }
  for (const [index, address] of added.entries()) {
    if (kept.has(rangeOf(address))) continue;
    const field = `${listener}.listen[${index}]`;
    requireFree(field, listener, address);
    const protocol = LISTENERS[listener];
    const holder = await servers.portHolder.first(call, {
      nodeClusterId,
      transport: protocol === "udp" ? "udp" : "tcp",
      protocol,
      minPort: BigInt(address.minPort),
      maxPort: BigInt(address.maxPort),
      exceptServerId: id,
    });
    if (holder !== undefined) throw errors.port_taken(`${field}.portRange`, address.portRange);
  }
}

function requireFree(field: string, listener: Listener, { host, portRange, minPort, maxPort }: NetworkAddress): void {
  if (!ANY_HOST.includes(host)) {
    throw invalid(`${field}.host`, `must be empty: nodes listen on all addresses, got "${host.slice(0, 60)}"`);
  }
  const webPort = WEB_PORTS[listener];
  if (minPort === maxPort && minPort === webPort) return;
  if (minPort < FIRST_FREE_PORT) {
    const allowed = webPort === undefined ? "" : `${webPort} or `;
    throw invalid(`${field}.portRange`, `must be ${allowed}from ${FIRST_FREE_PORT} to 65535, got "${portRange}"`);
  }
  if (maxPort - minPort >= MAX_PORTS_PER_ADDRESS) {
    throw invalid(`${field}.portRange`, `must have at most ${MAX_PORTS_PER_ADDRESS} ports, got "${portRange}"`);
  }
}

function addressesIn(listener: Listener, bytes: Uint8Array): readonly NetworkAddress[] {
  return jsonField(listener, bytes, ListenBlockSchema)?.listen ?? [];
}

function rangeOf({ minPort, maxPort, host }: NetworkAddress): string {
  return `${host} ${minPort}-${maxPort}`;
}
