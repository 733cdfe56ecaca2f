import type { Sealer } from "edgehelm/auth";
import { ALGORITHM, dnskeyData, keyTagOf, type PublicKey, type Role } from "./dnskey.ts";

/** The public part of a new key, and its private part, sealed for its place. */
export interface NewKey extends PublicKey {
  readonly privateKey: string;
  /** The random row name that the private key is sealed for, because the id is not known before the insertion. */
  readonly keyPlace: string;
}

const PARAMETERS = { name: "ECDSA", namedCurve: "P-256" } as const;
const PEM_LINE = 64;
/** The byte that begins a point that is not compressed; a DNSKEY record is without it (RFC 6605, section 4). */
const POINT_PREFIX_BYTES = 1;

/** Makes keys, and opens those that are stored. */
export class PrivateKeys {
  readonly #secrets: Sealer;

  constructor(secrets: Sealer) {
    this.#secrets = secrets;
  }

  /**
   * Makes a key.
   *
   * @param taken the tags of the other keys of the domain: tags are checksums, and two keys with one confuse resolvers
   */
  async make(role: Role, taken: readonly bigint[]): Promise<NewKey> {
    for (;;) {
      const { publicKey: ofAll, privateKey: own } = await crypto.subtle.generateKey(PARAMETERS, true, [
        "sign",
        "verify",
      ]);
      const point = new Uint8Array(await crypto.subtle.exportKey("raw", ofAll)).subarray(POINT_PREFIX_BYTES);
      const key = { role, algorithm: ALGORITHM, publicKey: base64(point) };
      const keyTag = keyTagOf(dnskeyData(key));
      if (taken.includes(keyTag)) continue;
      const pem = pemOf(new Uint8Array(await crypto.subtle.exportKey("pkcs8", own)));
      const keyPlace = crypto.randomUUID();
      return { ...key, keyTag, privateKey: await this.#secrets.seal(pem, place(keyPlace)), keyPlace };
    }
  }

  /** Returns a private key in the PEM form of PKCS #8. */
  async open({ privateKey, keyPlace }: Pick<NewKey, "privateKey" | "keyPlace">): Promise<string> {
    return await this.#secrets.open(privateKey, place(keyPlace));
  }
}

function place(row: string) {
  return { table: "nsDNSSECKeys", column: "privateKey", row };
}

function pemOf(bytes: Uint8Array): string {
  const text = base64(bytes);
  const count = Math.ceil(text.length / PEM_LINE);
  const lines = Array.from({ length: count }, (_, at) => text.slice(at * PEM_LINE, (at + 1) * PEM_LINE));
  return ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----", ""].join("\n");
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
