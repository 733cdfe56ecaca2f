import type { Sealer } from "edgehelm/auth";

/** Encrypts private keys with the installation key; each is bound to its certificate. */
export class PrivateKeys {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /** Returns a sealed key; empty for empty bytes. */
  async seal(fingerprint: string, pem: Uint8Array): Promise<string> {
    if (pem.length === 0) return "";
    return await this.#sealer.seal(new TextDecoder("latin1").decode(pem), place(fingerprint));
  }

  /** Returns the key in PEM; empty if there is none. */
  async open(fingerprint: string, sealedKey: string): Promise<Uint8Array> {
    if (sealedKey === "") return new Uint8Array();
    return new TextEncoder().encode(await this.#sealer.open(sealedKey, place(fingerprint)));
  }
}

/** Binds a sealed key to its certificate: it cannot be opened in the row of another certificate. */
function place(fingerprint: string) {
  return { table: "sslCertFiles", column: "sealedKey", row: fingerprint };
}
