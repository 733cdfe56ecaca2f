import { randomAlphanumerics, type Sealer } from "edgehelm/auth";
import { newCertificateKey } from "../acme_provider/contract/keys.ts";
import type { OrderRow } from "./store_tables.ts";

const UNIQUE_ID_LENGTH = 32;

/** Seals the private keys of certificates while their orders are under way; each is bound to its order. */
export class OrderKeys {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  async create(): Promise<Pick<OrderRow, "uniqueId" | "sealedKey">> {
    const uniqueId = randomAlphanumerics(UNIQUE_ID_LENGTH);
    return { uniqueId, sealedKey: await this.#sealer.seal(await newCertificateKey(), place(uniqueId)) };
  }

  /** Returns the key in PEM. */
  open({ uniqueId, sealedKey }: OrderRow): Promise<string> {
    return this.#sealer.open(sealedKey, place(uniqueId));
  }
}

function place(row: string) {
  return { table: "acmeOrders", column: "sealedKey", row };
}
