import type { Call } from "edgehelm";
import type { ACMEProviders } from "../acme_provider/contract.ts";
import type { Bindings } from "./bindings.ts";
import type { ACMERegistrations, NestedAccount } from "./contract.ts";
import type { AccountRow, AccountStore } from "./store.ts";

export interface MessageDeps {
  readonly accounts: AccountStore;
  readonly bindings: Bindings;
  readonly registrations: ACMERegistrations;
  readonly providers: ACMEProviders;
}

/** Turns accounts into messages. */
export class AccountMessages {
  readonly #deps: MessageDeps;

  constructor(deps: MessageDeps) {
    this.#deps = deps;
  }

  /** Returns accounts with their providers and the keys of their bindings. */
  async all(call: Call, rows: readonly AccountRow[]) {
    const states = await this.#deps.registrations.states(call, rows.map(({ registrationId }) => registrationId));
    return await Promise.all(rows.map(async (row) => {
      const acmeProvider = this.#deps.providers.find(row.providerCode);
      return { ...await this.#base(row, states), ...(acmeProvider && { acmeProvider }) };
    }));
  }

  /** Returns accounts for messages that contain them; users get only the id. */
  async nested(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, NestedAccount>> {
    const rows = ids.length === 0 ? [] : await this.#deps.accounts.byIds.all(call, { ids: [...ids] });
    if (call.caller.role === "user") return new Map(rows.map(({ id }) => [id, { id }]));
    const states = await this.#deps.registrations.states(call, rows.map(({ registrationId }) => registrationId));
    const messages = rows.map(async (row) => [row.id, await this.#base(row, states)] as const);
    return new Map(await Promise.all(messages));
  }

  async #base(row: AccountRow, states: Awaited<ReturnType<ACMERegistrations["states"]>>) {
    const { id, isOn, name, providerCode, eabKid, email } = row;
    const state = states.get(row.registrationId);
    return {
      id,
      name,
      isOn: isOn === 1n,
      providerCode,
      eabKid,
      eabKey: await this.#deps.bindings.openKey(row),
      error: state?.error ?? row.error,
      email,
      isRegistered: state?.isRegistered ?? false,
    };
  }
}
