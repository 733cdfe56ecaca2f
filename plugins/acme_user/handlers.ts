import {
  type Call,
  type Clock,
  type Handlers,
  invalid,
  ownerOf,
  pageOf,
  textField,
  unixSeconds,
  type UseCheck,
} from "edgehelm";
import { deleteRow, updateRow } from "edgehelm/rows";
import { ACMEError } from "../acme_provider/contract/acme_error.ts";
import type { ACMEProviderInfo } from "../acme_provider/contract.ts";
import type { UsableAccount } from "../acme_provider_account/contract.ts";
import type { Users } from "../user/contract.ts";
import type { UserQuotas } from "../user_quota/contract.ts";
import { errors } from "./errors.ts";
import { emailField } from "./fields.ts";
import { acmeUserMessages, type MessageDeps } from "./messages.ts";
import type { ACMEUserService } from "./proto/service_acme_user_pb.ts";
import { ACME_USERS } from "./quota.ts";
import type { ACMEUserRow, ACMEUserStore } from "./store.ts";

const MAX_FOUND = 1000n;

export interface Deps extends MessageDeps {
  readonly store: ACMEUserStore;
  readonly users: Users | undefined;
  readonly quotas: UserQuotas | undefined;
  readonly uses: readonly UseCheck[];
  readonly clock: Clock;
}

export function acmeUserHandlers(deps: Deps): Handlers<typeof ACMEUserService> {
  const { store, providers, accounts, registrations, users, quotas, uses, clock } = deps;

  function requireProvider(code: string): ACMEProviderInfo {
    const found = providers.find(code);
    if (found !== undefined) return found;
    const codes = providers.all.map((provider) => provider.code).join(", ");
    throw invalid("acmeProviderCode", `must be one of ${codes}, got "${code.slice(0, 60)}"`);
  }

  async function accountOf(call: Call, provider: ACMEProviderInfo, id: bigint): Promise<UsableAccount | undefined> {
    if (id !== 0n) return await accounts.requireUsable(call, "acmeProviderAccountId", id, provider.code);
    if (!provider.requireEAB) return undefined;
    const account = await accounts.newestOf(call, provider.code);
    if (account !== undefined) return account;
    throw invalid("acmeProviderCode", `an account with the provider "${provider.code}" must exist first`);
  }

  return {
    async createACMEUser(request, call) {
      const userId = ownerOf(call, request.userId);
      if (userId < 0n) throw invalid("userId", `must not be negative, got ${userId}`);
      const provider = requireProvider(request.acmeProviderCode);
      const email = emailField("email", request.email);
      const description = textField("description", request.description, { max: 1000 });
      const account = await accountOf(call, provider, request.acmeProviderAccountId);
      const acmeProviderAccountId = account?.id ?? 0n;
      const prepared = await registrations.prepare();
      const [id, registrationId] = await call.transact(async (inner) => {
        const count = async () => (await store.countOfUser.one(inner, { userId })).count;
        await quotas?.require(inner, ACME_USERS, userId, 1, count);
        if (userId !== 0n) await users?.requireUser(inner, "userId", userId);
        // a provider lets an account reuse proofs, so that users never share one
        const registration = userId === 0n && account !== undefined
          ? account.registrationId
          : await registrations.create(inner, prepared, { providerCode: provider.code, acmeProviderAccountId, email });
        const created = await store.insert.one(inner, {
          userId,
          email,
          description,
          providerCode: provider.code,
          acmeProviderAccountId,
          registrationId: registration,
          createdAt: unixSeconds(clock),
        });
        return [created.id, registration] as const;
      });
      if (registrationId !== account?.registrationId) await registrations.register(call, registrationId);
      return { acmeUserId: id };
    },

    updateACMEUser: updateRow(
      store,
      "acmeUserId",
      store.update,
      ({ description }) => ({ description: textField("description", description, { max: 1000 }) }),
    ),

    deleteACMEUser: deleteRow(store, "acmeUserId", {
      uses,
      inUse: errors.in_use,
      deleted: (call, row: ACMEUserRow) => forget(call, deps, [row]),
    }),

    countACMEUsers: ({ userId, acmeProviderAccountId }, call) =>
      store.list.count(call, { userId: ownerOf(call, userId), acmeProviderAccountId }),

    async listACMEUsers(request, call) {
      const rows = await store.list.page(call, { userId: ownerOf(call, request.userId) }, pageOf(request));
      return { acmeUsers: await acmeUserMessages(call, deps, rows) };
    },

    async findEnabledACMEUser({ acmeUserId }, call) {
      const row = await store.find(call, acmeUserId);
      const [acmeUser] = await acmeUserMessages(call, deps, row === undefined ? [] : [row]);
      return { acmeUser };
    },

    async findAllACMEUsers({ userId, acmeProviderCode }, call) {
      const filter = { userId: ownerOf(call, userId), providerCode: acmeProviderCode };
      const rows = await store.list.page(call, filter, { offset: 0n, size: MAX_FOUND });
      return { acmeUsers: await acmeUserMessages(call, deps, rows) };
    },

    async changeACMEUserKey({ acmeUserId }, call) {
      const row = await store.require(call, "acmeUserId", acmeUserId);
      try {
        await registrations.changeKey(call, row.registrationId);
      } catch (error) {
        throw error instanceof ACMEError ? errors.refused(error.message) : error;
      }
      return {};
    },
  };
}

/** Forgets the registrations of deleted ACME users, except those of accounts. */
export async function forget(
  call: Call,
  { registrations }: Pick<Deps, "registrations">,
  rows: readonly ACMEUserRow[],
): Promise<void> {
  const own = rows.filter(({ userId, acmeProviderAccountId }) => userId !== 0n || acmeProviderAccountId === 0n);
  await registrations.remove(call, own.map(({ registrationId }) => registrationId));
}
