import { invalid } from "edgehelm";
import type { ACMEProviderAccounts } from "./contract.ts";
import type { AccountMessages } from "./messages.ts";
import type { AccountRow, AccountStore } from "./store.ts";

/** Implements the contract `ACMEProviderAccounts`. */
export function acmeProviderAccounts(accounts: AccountStore, messages: AccountMessages): ACMEProviderAccounts {
  const isUsable = ({ isOn, registrationId, userId }: AccountRow) =>
    isOn === 1n && registrationId !== 0n && userId === 0n;
  return {
    nested: (call, ids) => messages.nested(call, ids),
    async requireUsable(call, field, id, providerCode) {
      const [row] = await accounts.byIds.all(call, { ids: [id] });
      if (row === undefined || !isUsable(row)) throw invalid(field, `account ${id} does not exist or is turned off`);
      if (row.providerCode === providerCode) return row;
      throw invalid(field, `account ${id} is one of the provider "${row.providerCode}", not of "${providerCode}"`);
    },
    async newestOf(call, providerCode) {
      return (await accounts.listOfProvider.all(call, { userId: 0n, providerCode })).find(isUsable);
    },
  };
}
