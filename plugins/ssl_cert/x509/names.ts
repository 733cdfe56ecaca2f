import { childrenOf, type DerElement, objectId, TAG } from "./der.ts";

const COMMON_NAME = "2.5.4.3";
const ORGANIZATION = "2.5.4.10";
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

/** Returns the common name of a distinguished name, or else its organization. */
export function nameText(name: DerElement | undefined): string {
  const values = new Map<string, string>();
  for (const relative of childrenOf(name)) {
    for (const attribute of childrenOf(relative, TAG.set)) {
      const [type, value] = childrenOf(attribute);
      if (value !== undefined) values.set(objectId(type), stringText(value));
    }
  }
  return values.get(COMMON_NAME) ?? values.get(ORGANIZATION) ?? "";
}

/** Returns the domains, then the IP addresses, in lower case. */
export function generalNames(names: DerElement): string[] {
  const all = childrenOf(names);
  const domains = all.filter(({ tag }) => tag === DNS_NAME).map(({ content }) => latin1(content).toLowerCase());
  const addresses = all.filter(({ tag }) => tag === IP_ADDRESS).map(({ content }) => addressText(content));
  return [...new Set([...domains, ...addresses])].filter((name) => name !== "");
}

function stringText({ tag, content }: DerElement): string {
  if (tag === TAG.utf8) return new TextDecoder().decode(content).trim();
  if (tag === TAG.bmpString) return new TextDecoder("utf-16be").decode(content).trim();
  return latin1(content).trim();
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  if (bytes.length !== 16) return "";
  const groups = Array.from({ length: 8 }, (_, at) => (bytes[2 * at]! * 256 + bytes[2 * at + 1]!).toString(16));
  return new URL(`http://[${groups.join(":")}]/`).hostname.slice(1, -1);
}
