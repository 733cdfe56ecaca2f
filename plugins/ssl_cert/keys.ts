import { newAccessKeyId, type Sealer } from "edgehelm";
import type { SSLCertFiles } from "./store.ts";

const UNSEALED = new TextEncoder();

/** Private keys as they rest in the table: sealed under the installation key. */
export class PrivateKeys {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /** What to store for a key in PEM; empty for none. */
  async seal(pem: Uint8Array): Promise<Pick<SSLCertFiles, "keyPlace" | "sealedKey">> {
    const keyPlace = newAccessKeyId();
    const text = new TextDecoder("latin1").decode(pem);
    return { keyPlace, sealedKey: pem.length === 0 ? "" : await this.#sealer.seal(text, place(keyPlace)) };
  }

  /** The key in PEM; empty when there is none. */
  async open({ keyPlace, sealedKey }: SSLCertFiles): Promise<Uint8Array> {
    return sealedKey === "" ? new Uint8Array() : UNSEALED.encode(await this.#sealer.open(sealedKey, place(keyPlace)));
  }
}

function place(row: string) {
  return { table: "sslCertFiles", column: "sealedKey", row };
}
