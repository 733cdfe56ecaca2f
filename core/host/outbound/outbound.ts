import { lookup } from "node:dns/promises";
import type { Outbound } from "../../base/outbound.ts";
import { AddressGuard } from "../../outbound/address_guard.ts";
import { OutboundClient } from "../../outbound/client.ts";
import { outboundRules, type OutboundSettings } from "../../outbound/settings.ts";
import { MachineTransport, type ResolveHost } from "./machine_transport.ts";

/** Resolves a name as the programs of this machine do, in the order in which addresses should be tried. */
async function resolveWithSystem(host: string): Promise<string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}

/**
 * Creates the outgoing client of an installation on a machine.
 *
 * @param resolve returns the addresses of a name
 * @throws RpcError invalid, which names the setting
 */
export function machineOutbound(settings?: OutboundSettings, resolve: ResolveHost = resolveWithSystem): Outbound {
  const { ranges, hosts } = outboundRules(settings);
  return new OutboundClient(new MachineTransport(new AddressGuard(ranges), resolve), hosts);
}
