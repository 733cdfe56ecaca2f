import { type Call, type Clock, unixSeconds } from "edgehelm";
import type { Events } from "edgehelm/runtime";
import { billOverdue } from "./events.ts";
import type { UserBillStore } from "./store.ts";
import type { Tariff } from "./tariff.ts";

const BATCH_SIZE = 200;

interface Deps {
  readonly bills: UserBillStore;
  readonly events: Events;
  readonly tariff: Tariff;
  readonly clock: Clock;
}

/** Emits an event for each bill that was not paid in time, once. */
export async function tellOverdue(call: Call, { bills, events, tariff, clock }: Deps): Promise<void> {
  const page = { before: unixSeconds(clock) - tariff.overdueSeconds, limit: BATCH_SIZE };
  for (let count = BATCH_SIZE; count === BATCH_SIZE;) {
    if (await bills.untold.first(call, page) === undefined) return;
    count = await call.transact(async (inner) => {
      const found = await bills.untold.all(inner, page);
      for (const { id, userId, code, amount } of found) {
        await events.emit(inner, billOverdue, { userBillId: id, code, amount }, userId);
      }
      if (found.length > 0) await bills.markTold.run(inner, { ids: found.map(({ id }) => id) });
      return found.length;
    });
  }
}
