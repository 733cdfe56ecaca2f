import {
  type Call,
  type Clock,
  type Handlers,
  idField,
  invalid,
  onlyOwned,
  ownerOf,
  pageOf,
  unixSeconds,
} from "edgehelm";
import { addDays, amountNumber, today } from "edgehelm/fields";
import { billPaid } from "./events.ts";
import type { BillGenerator } from "./generate.ts";
import { billMessages } from "./messages.ts";
import type { BillingDeps } from "./billing_deps.ts";
import { billingPeriod, monthField } from "./periods.ts";
import type { UserBillService } from "./proto/service_user_bill_pb.ts";
import type { Filter, UserBillLists } from "./store_lists.ts";
import type { UserBillRow, UserBillStore } from "./store.ts";
import type { Tariff } from "./tariff.ts";

/** The dependencies of the handlers. */
export interface Deps extends Pick<BillingDeps, "users" | "states" | "accounts" | "events"> {
  readonly bills: UserBillStore;
  readonly lists: UserBillLists;
  readonly generator: BillGenerator;
  readonly tariff: Tariff;
  readonly clock: Clock;
}

const PAID: Readonly<Record<number, bigint | undefined>> = { 0: 0n, 1: 1n, [-1]: undefined };

export function userBillHandlers(
  { bills, lists, generator, users, states, accounts, events, tariff, clock }: Deps,
): Handlers<typeof UserBillService> {
  const messages = (call: Call, rows: readonly UserBillRow[]) =>
    billMessages(call, users, rows, unixSeconds(clock) - tariff.overdueSeconds);

  return {
    async generateAllUserBills(request, call) {
      await generator.generate(call, billingPeriod(request, clock));
      return {};
    },

    async countAllUserBills(request, call) {
      const filter = filterOf(call, request);
      const { minDailyBillDays, minMonthlyBillDays } = request;
      if (minDailyBillDays === 0 && minMonthlyBillDays === 0) return await lists.count(call, filter);
      const daily = daysAgo("minDailyBillDays", minDailyBillDays, clock);
      return await lists.countOfAge(call, filter, {
        daily,
        monthly: daysAgo("minMonthlyBillDays", minMonthlyBillDays, clock),
      });
    },

    async listUserBills(request, call) {
      const rows = await lists.list(call, filterOf(call, request), pageOf(request));
      return { userBills: await messages(call, rows) };
    },

    async findUserBill({ userBillId, code }, call) {
      const found = userBillId === 0n
        ? await bills.byCode.first(call, { code: code.trim() })
        : await bills.byId.first(call, { id: userBillId });
      const row = onlyOwned(call, found);
      const [userBill] = await messages(call, row === undefined ? [] : [row]);
      return { userBill };
    },

    async payUserBill({ userBillId }, call) {
      const { id } = await bills.require(call, "userBillId", userBillId);
      const bill = await bills.pay.first(call, { id, now: unixSeconds(clock) });
      // already paid
      if (bill === undefined) return {};
      await accounts.book(call, {
        userId: bill.userId,
        delta: -bill.amount,
        eventType: "payBill",
        description: `bill ${bill.code}`,
        params: { userBillId: String(id) },
      });
      await events.emit(call, billPaid, { userBillId: id, code: bill.code, amount: bill.amount }, bill.userId);
      await states.derive(call, [bill.userId]);
      return {};
    },

    async sumUserUnpaidBills(request, call) {
      const userId = idField("userId", ownerOf(call, request.userId));
      const { amount } = await bills.sumUnpaid.one(call, { userId });
      return { amount: amountNumber(amount) };
    },
  };
}

function filterOf(
  call: Call,
  request: { readonly userId: bigint; readonly month: string; readonly paidFlag: number },
): Filter {
  const { paidFlag } = request;
  if (!(paidFlag in PAID)) throw invalid("paidFlag", `must be 0 (unpaid), 1 (paid) or -1 (all), got ${paidFlag}`);
  const month = request.month === "" ? "" : monthField("month", request.month);
  return { userId: ownerOf(call, request.userId), month, isPaid: PAID[paidFlag] };
}

/** Returns the latest last day of bills that ended at least `days` days ago; 0 matches any. */
function daysAgo(field: string, days: number, clock: Clock): string {
  if (days < 0 || days > 36_500) throw invalid(field, `must be 0 to 36500, got ${days}`);
  return days === 0 ? "9999-99-99" : addDays(today(clock), -days);
}
