import { invalid } from "edgehelm";

export const TYPES = ["httpProxy", "httpWeb", "tcpProxy", "udpProxy"] as const;
export type ServerType = (typeof TYPES)[number];

/** The columns with listen settings, and the protocol of each. */
export const LISTENERS = {
  httpJSON: "http",
  httpsJSON: "https",
  tcpJSON: "tcp",
  tlsJSON: "tls",
  udpJSON: "udp",
} as const;
export type Listener = keyof typeof LISTENERS;

const FAMILIES = {
  http: { types: ["httpProxy", "httpWeb"], listeners: ["httpJSON", "httpsJSON"] },
  tcp: { types: ["tcpProxy"], listeners: ["tcpJSON", "tlsJSON"] },
  udp: { types: ["udpProxy"], listeners: ["udpJSON"] },
} as const;
export const FAMILY_NAMES = ["http", "tcp", "udp"] as const;
export type Family = (typeof FAMILY_NAMES)[number];

export function familyOf(type: ServerType): Family {
  return FAMILY_NAMES.find((family) => (FAMILIES[family].types as readonly string[]).includes(type))!;
}

/** Refuses listen settings that servers of the type do not support. */
export function requireListener(type: ServerType, listener: Listener): void {
  const { listeners } = FAMILIES[familyOf(type)];
  if ((listeners as readonly string[]).includes(listener)) return;
  throw invalid(listener, `a server of type ${type} supports only ${listeners.join(" and ")}`);
}
