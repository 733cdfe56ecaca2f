import type { Sealer } from "edgehelm/auth";
import type { RegistrationRow } from "./store_registrations.ts";

type Place = "sealedKey" | "sealedNextKey";

/** Seals the private keys of accounts; each is bound to its registration. */
export class AccountKeys {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  seal(uniqueId: string, key: string, column: Place = "sealedKey"): Promise<string> {
    return this.#sealer.seal(key, { table: "acmeRegistrations", column, row: uniqueId });
  }

  open(row: RegistrationRow, column: Place = "sealedKey"): Promise<string> {
    return this.#sealer.open(row[column], { table: "acmeRegistrations", column, row: row.uniqueId });
  }
}
