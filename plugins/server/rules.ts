import { invalid } from "edgehelm";

export const TYPES = ["httpProxy", "httpWeb", "tcpProxy", "udpProxy"] as const;
export type ServerType = (typeof TYPES)[number];

/** The columns that say how a server listens, and the protocol of each. */
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

/** Refuses a listener that servers of the type do not have. */
export function requireListener(type: ServerType, listener: Listener): void {
  const { listeners } = FAMILIES[familyOf(type)];
  if ((listeners as readonly string[]).includes(listener)) return;
  throw invalid(listener, `a server of type ${type} listens by ${listeners.join(" and ")} only`);
}

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_NAME_LENGTH = 253;

/** The one spelling of a server's name: lower case, ASCII; wildcards as they are, regular expressions after a tilde. */
export function serverName(field: string, value: string): string {
  const name = value.trim();
  if (name.startsWith("~")) return expression(field, name);
  const lower = name.toLowerCase().replace(/\.$/, "");
  const [, wildcard = "", rest = ""] = /^(\*\.|\.)?(.*)$/s.exec(lower) ?? [];
  const ascii = wildcard + asciiName(rest);
  const labels = ascii.slice(wildcard.length).split(".");
  const isName = lower === "*" || labels.every((label) => LABEL.test(label)) || isAddress(rest);
  if (isName && ascii.length <= MAX_NAME_LENGTH) return lower === "*" ? lower : ascii;
  throw invalid(field, `must be a host name, an IP address or a wildcard such as *.example.com, got "${shown(value)}"`);
}

function expression(field: string, name: string): string {
  try {
    new RegExp(name.slice(1));
  } catch {
    throw invalid(field, `must be a regular expression after ~, got "${shown(name)}"`);
  }
  if (name.length <= MAX_NAME_LENGTH) return name;
  throw invalid(field, `must have at most ${MAX_NAME_LENGTH} characters, got ${name.length}`);
}

function asciiName(name: string): string {
  if (/^[ -~]*$/.test(name)) return name;
  return /[\s/\\@:?#%[\]]/.test(name) ? "" : URL.parse(`http://${name}`)?.hostname ?? "";
}

function isAddress(name: string): boolean {
  return /^\[?[0-9a-f:.]+\]?$/.test(name) &&
    URL.canParse(`http://${name.includes(":") ? `[${name.replace(/[[\]]/g, "")}]` : name}`);
}

function shown(value: string): string {
  return value.slice(0, 60);
}

/** The wildcards that would cover a name, nearest first: a.b.c gives *.b.c, .a.b.c, .b.c, *.c and .c. */
export function wildcardsFor(name: string): string[] {
  const labels = name.split(".");
  return [
    `.${name}`,
    ...labels.slice(1).flatMap((_, index) => {
      const parent = labels.slice(index + 1).join(".");
      return [`*.${parent}`, `.${parent}`];
    }),
    "*",
  ];
}

/** Whether one of a server's names stands for `name`. Regular expressions are the nodes' business: they may take forever. */
export function coversName(names: readonly string[], name: string): boolean {
  const plain = new Set(names);
  return plain.has(name) || wildcardsFor(name).some((wildcard) => plain.has(wildcard));
}
