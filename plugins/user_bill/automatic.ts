import { type Call, type Clock, unixSeconds } from "edgehelm";
import { addDays, today } from "edgehelm/fields";
import type { BillGenerator } from "./generate.ts";
import { type BillingPeriod, dayPeriod, monthOf, monthPeriod } from "./periods.ts";
import type { UserBillStore } from "./store.ts";

/** Bills yesterday and the previous month unless they have been billed. The month includes days that were missed. */
export async function generateClosedPeriods(
  call: Call,
  bills: UserBillStore,
  generator: BillGenerator,
  clock: Clock,
): Promise<void> {
  const day = today(clock);
  await generateOnce(dayPeriod(addDays(day, -1)));
  await generateOnce(monthPeriod(monthOf(addDays(`${day.slice(0, 8)}01`, -1))));

  async function generateOnce(period: BillingPeriod): Promise<void> {
    const name = period.pricePeriod === "daily" ? period.from : period.month;
    if (await bills.findRun.first(call, { period: name }) !== undefined) return;
    await generator.generate(call, period);
    await call.transact((inner) => bills.endRun.run(inner, { period: name, finishedAt: unixSeconds(clock) }));
  }
}
