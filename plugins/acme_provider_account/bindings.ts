import { invalid, textField } from "edgehelm";
import type { Sealer } from "edgehelm/auth";
import type { ACMEProviderInfo } from "../acme_provider/contract.ts";
import type { AccountRow, Binding } from "./store.ts";

const MAX_LENGTH = 1024;

/** Seals the keys of external account bindings (RFC 8555, 7.3.4) under the installation key. */
export class Bindings {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /** Checks a binding against the requirements of its provider, and seals its key for storage. */
  async seal({ code, requireEAB }: ACMEProviderInfo, binding: { eabKid: string; eabKey: string }): Promise<Binding> {
    const eabKid = textField("eabKid", binding.eabKid, { max: MAX_LENGTH });
    const eabKey = textField("eabKey", binding.eabKey, { max: MAX_LENGTH });
    for (const [field, value, other] of [["eabKid", eabKid, eabKey], ["eabKey", eabKey, eabKid]] as const) {
      if (value === "" && requireEAB) throw invalid(field, `must not be empty for the provider "${code}"`);
      if (value === "" && other !== "") throw invalid(field, "must not be empty: a binding has a key id and a key");
    }
    return { eabKid, sealedKey: eabKey === "" ? "" : await this.#sealer.seal(eabKey, place(code, eabKid)) };
  }

  /** Returns the key in clear text, or an empty string if there is none. */
  async openKey({ providerCode, eabKid, sealedKey }: AccountRow): Promise<string> {
    return sealedKey === "" ? "" : await this.#sealer.open(sealedKey, place(providerCode, eabKid));
  }
}

/** Binds a sealed key to its provider and key id: copied to another account's row, it does not open. */
function place(providerCode: string, eabKid: string) {
  return { table: "acmeProviderAccounts", column: "sealedKey", row: `${providerCode} ${eabKid}` };
}
