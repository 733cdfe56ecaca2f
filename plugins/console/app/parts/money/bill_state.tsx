import type { JSX } from "preact";
import { dayText, monthText } from "../../texts/amounts.ts";
import { fill } from "../../texts/fill.ts";
import { relativeTime } from "../../texts/mod.ts";
import { State } from "../state.tsx";
import type { Bill } from "./models.ts";
import { texts } from "./texts.ts";

/** Whether a bill was paid. */
export function BillState({ bill: { isPaid, paidAt, isOverdue } }: { bill: Bill }): JSX.Element {
  const { value: text } = texts;
  if (!isPaid) return <State kind={isOverdue ? "bad" : "warn"} text={isOverdue ? text.overdue : text.unpaid} />;
  return <State kind="ok" text={paidAt === 0n ? text.paid : fill(text.paidOn, { when: relativeTime(paidAt) })} />;
}

/** Returns the days or the month of a bill in words. */
export function periodOf({ pricePeriod, dayFrom, dayTo, month }: Bill): string {
  if (pricePeriod === "monthly") return monthText(month);
  return dayFrom === dayTo ? dayText(dayTo) : `${dayText(dayFrom)} – ${dayText(dayTo)}`;
}
