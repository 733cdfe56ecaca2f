import type { Sealer } from "edgehelm";

/** Private keys as they rest in the table: sealed under the installation key, each for its own certificate. */
export class PrivateKeys {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /** What to store for a key in PEM; empty for none. */
  async seal(fingerprint: string, pem: Uint8Array): Promise<string> {
    if (pem.length === 0) return "";
    return await this.#sealer.seal(new TextDecoder("latin1").decode(pem), place(fingerprint));
  }

  /** The key in PEM; empty when there is none. */
  async open(fingerprint: string, sealedKey: string): Promise<Uint8Array> {
    if (sealedKey === "") return new Uint8Array();
    return new TextEncoder().encode(await this.#sealer.open(sealedKey, place(fingerprint)));
  }
}

/** A key that is moved to another certificate's row does not open there. */
function place(fingerprint: string) {
  return { table: "sslCertFiles", column: "sealedKey", row: fingerprint };
}
