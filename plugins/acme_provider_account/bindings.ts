import { invalid, type Sealer, textField } from "edgehelm";
import type { ACMEProviderInfo } from "../acme_provider/contract.ts";
import type { AccountRow, Binding } from "./store.ts";

const MAX_LENGTH = 1024;

/** External account bindings (RFC 8555, 7.3.4); their keys rest sealed under the installation key. */
export class Bindings {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /** Checks a binding against what its provider asks for, and makes of it what is stored. */
  async keep({ code, requireEAB }: ACMEProviderInfo, given: { eabKid: string; eabKey: string }): Promise<Binding> {
    const eabKid = textField("eabKid", given.eabKid, { max: MAX_LENGTH });
    const eabKey = textField("eabKey", given.eabKey, { max: MAX_LENGTH });
    for (const [field, value, other] of [["eabKid", eabKid, eabKey], ["eabKey", eabKey, eabKid]] as const) {
      if (value === "" && requireEAB) throw invalid(field, `must not be empty for the provider "${code}"`);
      if (value === "" && other !== "") throw invalid(field, "must not be empty: a binding has a key id and a key");
    }
    return { eabKid, sealedKey: eabKey === "" ? "" : await this.#sealer.seal(eabKey, place(code, eabKid)) };
  }

  /** The key in clear; empty for none. */
  async keyOf({ providerCode, eabKid, sealedKey }: AccountRow): Promise<string> {
    return sealedKey === "" ? "" : await this.#sealer.open(sealedKey, place(providerCode, eabKid));
  }
}

/** A key that is moved to another account's row does not open there. */
function place(providerCode: string, eabKid: string) {
  return { table: "acmeProviderAccounts", column: "sealedKey", row: `${providerCode} ${eabKid}` };
}
