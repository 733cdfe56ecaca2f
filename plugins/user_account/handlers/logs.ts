import { type Call, choiceField, distinct, type Handlers, ownerOf, pageOf } from "edgehelm";
import { containing } from "edgehelm/storage";
import type { Users } from "../../user/contract.ts";
import type { AccountLedger } from "../ledger.ts";
import { accountMessage, logMessage } from "../messages.ts";
import { EVENTS } from "../rules.ts";
import type { UserAccountLogService } from "../proto/service_user_account_log_pb.ts";
import type { LogFilter, UserAccountStore } from "../store.ts";

const NO_ACCOUNT = -1n;

interface LogRequest {
  readonly userAccountId: bigint;
  readonly keyword: string;
  readonly eventType: string;
}

export function logHandlers(
  accounts: UserAccountStore,
  ledger: AccountLedger,
  users: Users,
): Handlers<typeof UserAccountLogService> {
  /** Returns the filter and the statements of a request; a search scans all logs, outside the event loop. */
  function prepare(call: Call, request: LogRequest) {
    const userAccountId = accountOf(call, request.userAccountId);
    const eventType = request.eventType && choiceField("eventType", request.eventType, EVENTS);
    const keyword = request.keyword.trim();
    const isSearch = keyword !== "" || eventType !== "";
    const { ofAccount, ofAll } = isSearch ? accounts.searches : accounts.logs;
    const filter: LogFilter = { userAccountId, eventType, pattern: containing(keyword) };
    return { filter, run: isSearch ? "scan" as const : "all" as const, ...(userAccountId === 0n ? ofAll : ofAccount) };
  }

  return {
    async countUserAccountLogs(request, call) {
      const { filter, run, count } = prepare(call, request);
      return (await count[run](call, filter))[0]!;
    },

    async listUserAccountLogs(request, call) {
      const { filter, run, page } = prepare(call, request);
      const rows = await page[run](call, { ...filter, ...pageOf(request) });
      const ids = distinct(rows.map(({ userAccountId }) => userAccountId));
      const owners = await users.nested(call, ids);
      const debts = await ledger.debts(call, ids);
      const totals = new Map((await accounts.byIds.all(call, { ids })).map(({ id, total }) => [id, total]));
      return {
        userAccountLogs: rows.map((row) => {
          const id = row.userAccountId;
          return logMessage(row, accountMessage(id, totals.get(id) ?? 0n, debts.get(id) ?? 0n, owners.get(id)));
        }),
      };
    },
  };
}

/** Returns the account of a request, which has the id of its user. Another user's account matches no transactions. */
function accountOf(call: Call, requested: bigint): bigint {
  const own = ownerOf(call, requested);
  return requested === 0n || requested === own ? own : NO_ACCOUNT;
}
