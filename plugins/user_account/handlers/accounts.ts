import { type Call, type Handlers, idField, mayAccessOwner, ownerOf, pageOf, textField } from "edgehelm";
import type { Users } from "../../user/contract.ts";
import type { AccountLedger } from "../ledger.ts";
import { errors } from "../errors.ts";
import { accountMessage } from "../messages.ts";
import { paramsField, transactionFields } from "../rules.ts";
import type { UserAccountService } from "../proto/service_user_account_pb.ts";
import type { UserAccountStore } from "../store.ts";

const MAX_MATCHES = 1000;

export function accountHandlers(
  accounts: UserAccountStore,
  ledger: AccountLedger,
  users: Users,
): Handlers<typeof UserAccountService> {
  /** Returns the account of an existing user; it is empty before the first transaction. */
  async function find(call: Call, id: bigint) {
    const user = (await users.nested(call, [id])).get(id);
    if (user === undefined) return undefined;
    const debt = (await ledger.debts(call, [id])).get(id) ?? 0n;
    return accountMessage(id, await ledger.balance(call, id), debt, user);
  }

  /** Returns the ids of users that match a keyword, or undefined for an empty keyword. */
  async function matchingIds(call: Call, keyword: string): Promise<bigint[] | undefined> {
    if (keyword.trim() === "") return undefined;
    const ids = await users.idsMatching(call, keyword.trim(), MAX_MATCHES + 1);
    if (ids.length > MAX_MATCHES) throw errors.too_many_matches(MAX_MATCHES);
    return [...ids];
  }

  return {
    async countUserAccounts({ keyword }, call) {
      const ids = await matchingIds(call, keyword);
      return await (ids === undefined ? accounts.count.one(call, {}) : accounts.countOfIds.one(call, { ids }));
    },

    async listUserAccounts(request, call) {
      const page = pageOf(request);
      const ids = await matchingIds(call, request.keyword);
      const rows =
        await (ids === undefined ? accounts.page.all(call, page) : accounts.pageOfIds.all(call, { ids, ...page }));
      const userIds = rows.map(({ id }) => id);
      const [owners, debts] = await Promise.all([users.nested(call, userIds), ledger.debts(call, userIds)]);
      const userAccounts = rows.map(({ id, total }) => accountMessage(id, total, debts.get(id) ?? 0n, owners.get(id)));
      return { userAccounts };
    },

    async findEnabledUserAccountWithUserId({ userId }, call) {
      const userAccount = await find(call, ownerOf(call, userId));
      return { userAccount };
    },

    async findEnabledUserAccount({ userAccountId }, call) {
      const userAccount = mayAccessOwner(call.caller, userAccountId) ? await find(call, userAccountId) : undefined;
      return { userAccount };
    },

    async updateUserAccount(request, call) {
      const userId = idField("userAccountId", request.userAccountId);
      const entry = {
        ...transactionFields(request),
        description: textField("description", request.description, { max: 1000 }),
        params: paramsField("paramsJSON", request.paramsJSON),
      };
      if (!(await users.summaries(call, [userId])).has(userId)) throw errors.not_found(userId);
      await ledger.book(call, { userId, ...entry });
      return {};
    },
  };
}
