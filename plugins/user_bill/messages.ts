import { type Call, distinct } from "edgehelm";
import { amountNumber, compactDay } from "edgehelm/fields";
import type { Users } from "../user/contract.ts";
import type { UserBillRow } from "./store.ts";

/** Returns messages of bills with their users; deleted users are marked as such. */
export async function billMessages(
  call: Call,
  users: Users,
  rows: readonly UserBillRow[],
  overdueBefore: bigint,
) {
  const userOf = await users.nested(call, distinct(rows.map(({ userId }) => userId)));
  return rows.map((row) => {
    const user = userOf.get(row.userId);
    const isPaid = row.isPaid === 1n;
    return {
      id: row.id,
      user: user ?? { id: row.userId, isDeleted: true },
      type: row.type,
      typeName: "Traffic",
      description: row.description,
      amount: amountNumber(row.amount),
      month: row.month,
      isPaid,
      paidAt: row.paidAt,
      code: row.code,
      canPay: !isPaid,
      dayFrom: compactDay(row.dayFrom),
      dayTo: compactDay(row.dayTo),
      pricePeriod: row.pricePeriod,
      isOverdue: !isPaid && row.createdAt < overdueBefore,
    };
  });
}
