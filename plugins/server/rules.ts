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

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_NAME_LENGTH = 253;

/** Normalizes a server name to lower-case ASCII; wildcards and regular expressions after a tilde are allowed. */
export function serverName(field: string, value: string): string {
  const name = value.trim();
  if (name.startsWith("~")) return expression(field, name);
  const lower = name.toLowerCase().replace(/\.$/, "");
  const [, wildcard = "", rest = ""] = /^(\*\.|\.)?(.*)$/s.exec(lower) ?? [];
  const ascii = wildcard + asciiName(rest);
  const labels = ascii.slice(wildcard.length).split(".");
  const isName = lower === "*" || labels.every((label) => LABEL.test(label)) || isAddress(rest);
  if (isName && ascii.length <= MAX_NAME_LENGTH) return lower === "*" ? lower : ascii;
  throw invalid(
    field,
    `must be a host name, an IP address or a wildcard such as *.example.com, got "${excerpt(value)}"`,
  );
}

function expression(field: string, name: string): string {
  try {
    new RegExp(name.slice(1));
  } catch {
    throw invalid(field, `must be a regular expression after ~, got "${excerpt(name)}"`);
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

function excerpt(value: string): string {
  return value.slice(0, 60);
}

/** Returns the wildcards that match a name, most specific first: .a.b.c, *.b.c, .b.c, *.c, .c and * for a.b.c. */
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

/** Returns true if one of the names matches `name`. Regular expressions are not evaluated: they may not terminate. */
export function coversName(names: readonly string[], name: string): boolean {
  const exactNames = new Set(names);
  return exactNames.has(name) || wildcardsFor(name).some((wildcard) => exactNames.has(wildcard));
}
