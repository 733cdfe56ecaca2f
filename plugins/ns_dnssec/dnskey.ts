import { hexText } from "edgehelm/wire";

export const ALGORITHM = 13n;
const PROTOCOL = 3;
const DIGEST_SHA256 = 2;

/** The role of a key: KSK signs keys, ZSK signs the records of a zone. */
export type Role = "KSK" | "ZSK";

/** The part of a key that everyone may know. */
export interface PublicKey {
  readonly role: Role;
  readonly algorithm: bigint;
  readonly keyTag: bigint;
  /** As in a DNSKEY record, in base64. */
  readonly publicKey: string;
}

const encoder = new TextEncoder();

/** Returns the flags of a DNSKEY record: a zone key, which for a KSK is also a secure entry point. */
function flagsOf(role: Role): number {
  return role === "KSK" ? 257 : 256;
}

/** Returns the data of a DNSKEY record (RFC 4034, section 2.1). */
export function dnskeyData({ role, algorithm, publicKey }: Omit<PublicKey, "keyTag">): Uint8Array<ArrayBuffer> {
  const flags = flagsOf(role);
  return Uint8Array.from([flags >> 8, flags & 0xff, PROTOCOL, Number(algorithm), ...bytesOf(publicKey)]);
}

/** Returns the key tag of the data of a DNSKEY record (RFC 4034, appendix B). */
export function keyTagOf(data: Uint8Array): bigint {
  let sum = 0;
  for (const [index, byte] of data.entries()) sum += index % 2 === 0 ? byte << 8 : byte;
  sum += (sum >> 16) & 0xffff;
  return BigInt(sum & 0xffff);
}

/** Returns the SHA-256 digest of a key of a domain, in upper case hexadecimal digits (RFC 4509). */
export async function digestOf(name: string, key: PublicKey): Promise<string> {
  const labels = name.toLowerCase().split(".").map((label) => encoder.encode(label));
  const owner = [...labels.flatMap((label) => [label.length, ...label]), 0];
  const bytes = Uint8Array.from([...owner, ...dnskeyData(key)]);
  return hexText(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))).toUpperCase();
}

/** Returns the DS record of a key, as dnssec-dsfromkey prints it. */
export async function dsText(name: string, key: PublicKey): Promise<string> {
  return `${name}. IN DS ${key.keyTag} ${key.algorithm} ${DIGEST_SHA256} ${await digestOf(name, key)}`;
}

/** Returns the DNSKEY record of a key. */
export function dnskeyText(name: string, { role, algorithm, publicKey }: PublicKey): string {
  return `${name}. IN DNSKEY ${flagsOf(role)} ${PROTOCOL} ${algorithm} ${publicKey}`;
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
