import { type Handlers, invalid, ownerOf, pageOf, textField } from "edgehelm";
import { deleteRow } from "edgehelm/rows";
import type { ACMEProviderInfo, ACMEProviders } from "../acme_provider/contract.ts";
import type { Bindings } from "./bindings.ts";
import { errors } from "./errors.ts";
import type { ACMEProviderAccountService } from "./proto/service_acme_provider_account_pb.ts";
import type { AccountRow, AccountStore } from "./store.ts";

export function acmeProviderAccountHandlers(
  accounts: AccountStore,
  bindings: Bindings,
  providers: ACMEProviders,
): Handlers<typeof ACMEProviderAccountService> {
  function requireProvider(field: string, code: string): ACMEProviderInfo {
    const found = providers.find(code);
    if (found !== undefined) return found;
    const codes = providers.all.map((provider) => provider.code).join(", ");
    throw invalid(field, `must be one of ${codes}, got "${code.slice(0, 60)}"`);
  }

  async function message(row: AccountRow) {
    const { id, isOn, name, providerCode, eabKid, error } = row;
    const acmeProvider = providers.find(providerCode);
    return {
      id,
      name,
      isOn: isOn === 1n,
      providerCode,
      eabKid,
      eabKey: await bindings.openKey(row),
      error,
      ...(acmeProvider && { acmeProvider }),
    };
  }

  return {
    async createACMEProviderAccount({ name, providerCode, ...binding }, call) {
      const provider = requireProvider("providerCode", providerCode);
      const account = {
        userId: ownerOf(call, 0n),
        name: textField("name", name, { min: 1 }),
        providerCode: provider.code,
        ...await bindings.seal(provider, binding),
      };
      const { id } = await call.transact((inner) => accounts.insert.one(inner, account));
      return { acmeProviderAccountId: id };
    },

    async updateACMEProviderAccount({ acmeProviderAccountId, name, ...binding }, call) {
      const { id, providerCode } = await accounts.require(call, "acmeProviderAccountId", acmeProviderAccountId);
      const provider = requireProvider("acmeProviderAccountId", providerCode);
      const account = {
        id,
        name: textField("name", name, { min: 1 }),
        ...await bindings.seal(provider, binding),
      };
      const changes = await call.transact((inner) => accounts.update.run(inner, account));
      if (changes === 0n) throw errors.not_found(id);
      return {};
    },

    deleteACMEProviderAccount: deleteRow(accounts, "acmeProviderAccountId"),

    async findEnabledACMEProviderAccount({ acmeProviderAccountId }, call) {
      const row = await accounts.find(call, acmeProviderAccountId);
      return { acmeProviderAccount: row && await message(row) };
    },

    async findAllACMEProviderAccountsWithProviderCode({ acmeProviderCode }, call) {
      const owned = { userId: ownerOf(call, 0n), providerCode: acmeProviderCode };
      return { acmeProviderAccounts: await Promise.all((await accounts.listOfProvider.all(call, owned)).map(message)) };
    },

    countAllEnabledACMEProviderAccounts: (_request, call) => accounts.list.count(call, { userId: ownerOf(call, 0n) }),

    async listEnabledACMEProviderAccounts(request, call) {
      const rows = await accounts.list.page(call, { userId: ownerOf(call, 0n) }, pageOf(request));
      return { acmeProviderAccounts: await Promise.all(rows.map(message)) };
    },
  };
}
