import { type Call, type Clock, unixSeconds } from "edgehelm";
import type { Events } from "edgehelm/runtime";
import { billDue, billOverdue } from "./events.ts";
import type { UserBillStore } from "./store.ts";
import type { Tariff } from "./tariff.ts";

const BATCH_SIZE = 200;

interface Deps {
  readonly bills: UserBillStore;
  readonly events: Events;
  readonly tariff: Tariff;
  readonly clock: Clock;
}

type Told = UserBillStore["dueTold"];
type UntoldBill = Awaited<ReturnType<Told["missing"]["all"]>>[number];

/** Emits an event for each unpaid bill that is due soon, and one for each that was not paid in time, once. */
export async function remind(call: Call, { bills, events, tariff, clock }: Deps): Promise<void> {
  const { overdueSeconds, reminderSeconds } = tariff;
  const overdueBefore = unixSeconds(clock) - overdueSeconds;
  await tell(call, bills.overdueTold, overdueBefore, async (inner, { id, userId, code, amount }) => {
    await events.emit(inner, billOverdue, { userBillId: id, code, amount }, userId);
  });
  if (reminderSeconds === 0n) return;
  await tell(call, bills.dueTold, overdueBefore + reminderSeconds, async (inner, bill) => {
    const { id, userId, code, amount, createdAt } = bill;
    // an overdue bill had the other event
    if (createdAt < overdueBefore) return;
    const overdueAt = createdAt + overdueSeconds;
    await events.emit(inner, billDue, { userBillId: id, code, amount, overdueAt }, userId);
  });
}

async function tell(
  call: Call,
  told: Told,
  before: bigint,
  emit: (call: Call, bill: UntoldBill) => Promise<void>,
): Promise<void> {
  const page = { before, limit: BATCH_SIZE };
  for (let count = BATCH_SIZE; count === BATCH_SIZE;) {
    if (await told.missing.first(call, page) === undefined) return;
    count = await call.transact(async (inner) => {
      const found = await told.missing.all(inner, page);
      for (const bill of found) await emit(inner, bill);
      if (found.length > 0) await told.mark.run(inner, { ids: found.map(({ id }) => id) });
      return found.length;
    });
  }
}
