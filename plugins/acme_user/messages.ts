import { type Call, distinct, invalid, onlyOwned } from "edgehelm";
import type { ACMEProviders } from "../acme_provider/contract.ts";
import type { ACMEProviderAccounts, ACMERegistrations } from "../acme_provider_account/contract.ts";
import type { ACMEUsers } from "./contract.ts";
import type { ACMEUserRow, ACMEUserStore } from "./store.ts";

export interface MessageDeps {
  readonly providers: ACMEProviders;
  readonly accounts: ACMEProviderAccounts;
  readonly registrations: ACMERegistrations;
}

/** Returns ACME users with their providers and accounts. */
export async function acmeUserMessages(call: Call, deps: MessageDeps, rows: readonly ACMEUserRow[]) {
  const accountIds = distinct(rows.map(({ acmeProviderAccountId }) => acmeProviderAccountId)).filter((id) => id !== 0n);
  const [states, accounts] = await Promise.all([
    deps.registrations.states(call, distinct(rows.map(({ registrationId }) => registrationId))),
    deps.accounts.nested(call, accountIds),
  ]);
  return rows.map((row) => {
    const acmeProviderAccount = accounts.get(row.acmeProviderAccountId);
    return {
      ...baseMessage(deps.providers, row, states.get(row.registrationId)),
      ...(acmeProviderAccount && { acmeProviderAccount }),
    };
  });
}

/** Implements the contract `ACMEUsers`. */
export function acmeUsersContract(store: ACMEUserStore, deps: MessageDeps): ACMEUsers {
  return {
    async nested(call, ids) {
      const rows = ids.length === 0 ? [] : await store.byIds.all(call, { ids: [...ids] });
      const states = await deps.registrations.states(call, distinct(rows.map(({ registrationId }) => registrationId)));
      return new Map(rows.map((row) => {
        const message = onlyOwned(call, row) === undefined
          ? { id: row.id }
          : baseMessage(deps.providers, row, states.get(row.registrationId));
        return [row.id, message];
      }));
    },
    async requireOf(call, field, id, userId) {
      const [row] = await store.byIds.all(call, { ids: [id] });
      if (row?.userId !== userId) throw invalid(field, `ACME user ${id} does not exist or belongs to another owner`);
    },
    async registrationOf(call, id) {
      return (await store.byIds.all(call, { ids: [id] }))[0]?.registrationId;
    },
  };
}

type State = { readonly isRegistered: boolean; readonly error: string } | undefined;

/** Returns an ACME user with its provider, which is found by its code and not by an id. */
function baseMessage(
  providers: ACMEProviders,
  { id, email, description, createdAt, providerCode }: ACMEUserRow,
  state: State,
) {
  const acmeProvider = providers.find(providerCode);
  return {
    id,
    email,
    description,
    createdAt,
    acmeProviderCode: providerCode,
    isRegistered: state?.isRegistered ?? false,
    error: state?.error ?? "",
    ...(acmeProvider && { acmeProvider }),
  };
}
