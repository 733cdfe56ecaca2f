import { type Handlers, invalid, ownerOf, pageOf, textField, type UseCheck } from "edgehelm";
import { deleteRow } from "edgehelm/rows";
import { ACMEError } from "../acme_provider/contract/acme_error.ts";
import type { ACMEProviderInfo, ACMEProviders } from "../acme_provider/contract.ts";
import type { Bindings } from "./bindings.ts";
import { errors } from "./errors.ts";
import { emailField } from "./fields.ts";
import type { AccountMessages } from "./messages.ts";
import type { ACMEProviderAccountService } from "./proto/service_acme_provider_account_pb.ts";
import type { Registrations } from "./registrations.ts";
import type { AccountStore } from "./store.ts";

export interface Deps {
  readonly accounts: AccountStore;
  readonly bindings: Bindings;
  readonly providers: ACMEProviders;
  readonly registrations: Registrations;
  readonly messages: AccountMessages;
  readonly uses: readonly UseCheck[];
}

export function acmeProviderAccountHandlers(
  { accounts, bindings, providers, registrations, messages, uses }: Deps,
): Handlers<typeof ACMEProviderAccountService> {
  function requireProvider(field: string, code: string): ACMEProviderInfo {
    const found = providers.find(code);
    if (found !== undefined) return found;
    const codes = providers.all.map((provider) => provider.code).join(", ");
    throw invalid(field, `must be one of ${codes}, got "${code.slice(0, 60)}"`);
  }

  return {
    async createACMEProviderAccount({ name, providerCode, email, ...binding }, call) {
      const provider = requireProvider("providerCode", providerCode);
      const account = {
        userId: ownerOf(call, 0n),
        name: textField("name", name, { min: 1 }),
        providerCode: provider.code,
        email: emailField("email", email),
        ...await bindings.seal(provider, binding),
      };
      const prepared = await registrations.prepare();
      const [id, registrationId] = await call.transact(async (inner) => {
        const created = await accounts.insert.one(inner, { ...account, registrationId: 0n });
        const registration = await registrations.create(inner, prepared, {
          providerCode: provider.code,
          acmeProviderAccountId: created.id,
          email: account.email,
        });
        await accounts.setRegistration.run(inner, { id: created.id, registrationId: registration });
        return [created.id, registration] as const;
      });
      await registrations.register(call, registrationId);
      return { acmeProviderAccountId: id };
    },

    async updateACMEProviderAccount({ acmeProviderAccountId, name, email, ...binding }, call) {
      const row = await accounts.require(call, "acmeProviderAccountId", acmeProviderAccountId);
      const { id, registrationId } = row;
      const provider = requireProvider("acmeProviderAccountId", row.providerCode);
      const account = {
        id,
        name: textField("name", name, { min: 1 }),
        email: emailField("email", email),
        ...await bindings.seal(provider, binding),
      };
      const state = (await registrations.states(call, [registrationId])).get(registrationId);
      const isRestarted = state !== undefined && (!state.isRegistered || account.eabKid !== row.eabKid);
      const key = isRestarted ? await registrations.newKeyOf(call, registrationId) : "";
      await call.transact(async (inner) => {
        if (await accounts.update.run(inner, account) === 0n) throw errors.not_found(id);
        if (isRestarted) await registrations.restart(inner, registrationId, key, account.email);
      });
      if (isRestarted) await registrations.register(call, registrationId);
      else if (state !== undefined && account.email !== row.email) {
        await told(() => registrations.changeContact(call, registrationId, account.email));
      }
      return {};
    },

    deleteACMEProviderAccount: deleteRow(accounts, "acmeProviderAccountId", {
      uses,
      inUse: errors.in_use,
      deleted: (call, { registrationId }) => registrations.remove(call, [registrationId]),
    }),

    async findEnabledACMEProviderAccount({ acmeProviderAccountId }, call) {
      const row = await accounts.find(call, acmeProviderAccountId);
      const [acmeProviderAccount] = await messages.all(call, row === undefined ? [] : [row]);
      return { acmeProviderAccount };
    },

    async findAllACMEProviderAccountsWithProviderCode({ acmeProviderCode }, call) {
      const owned = { userId: ownerOf(call, 0n), providerCode: acmeProviderCode };
      return { acmeProviderAccounts: await messages.all(call, await accounts.listOfProvider.all(call, owned)) };
    },

    countAllEnabledACMEProviderAccounts: (_request, call) => accounts.list.count(call, { userId: ownerOf(call, 0n) }),

    async listEnabledACMEProviderAccounts(request, call) {
      const rows = await accounts.list.page(call, { userId: ownerOf(call, 0n) }, pageOf(request));
      return { acmeProviderAccounts: await messages.all(call, rows) };
    },

    async changeACMEProviderAccountKey({ acmeProviderAccountId }, call) {
      const row = await accounts.require(call, "acmeProviderAccountId", acmeProviderAccountId);
      await told(() => registrations.changeKey(call, row.registrationId));
      return {};
    },
  };
}

/** Tells the caller what a provider says. */
async function told(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof ACMEError ? errors.refused(error.message) : error;
  }
}
