import type { Address } from "./origins.ts";

const USUAL_PORTS: Readonly<Record<string, string>> = { http: "80", https: "443" };

/** Returns the protocols of the origins of a type of sites, and the one that an origin has already. */
export function protocolsOf(type: string, current?: string): readonly string[] {
  const usual = type === "tcpProxy" ? ["tcp", "tls"] : type === "udpProxy" ? ["udp"] : ["http", "https"];
  return current === undefined || usual.includes(current) ? usual : [...usual, current];
}

/** Returns the address that a new origin starts with. */
export function firstAddress(type: string): Address {
  const [protocol] = protocolsOf(type);
  return { protocol: protocol!, host: "", portRange: USUAL_PORTS[protocol!] ?? "" };
}

/** Changes the protocol, and the port with it unless it is not the usual one. */
export function withProtocol(address: Address, protocol: string): Address {
  const isUsual = address.portRange === USUAL_PORTS[address.protocol];
  return { ...address, protocol, portRange: isUsual ? USUAL_PORTS[protocol] ?? address.portRange : address.portRange };
}
