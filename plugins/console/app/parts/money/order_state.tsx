import type { JSX } from "preact";
import { moneyText } from "../../texts/amounts.ts";
import { fill } from "../../texts/fill.ts";
import { State } from "../state.tsx";
import type { Order } from "./models.ts";
import { texts } from "./texts.ts";

/** Whether an order was paid. */
export function OrderState({ order }: { order: Order }): JSX.Element {
  const { status, isExpired, refundedAmount, currency } = order;
  const { value: text } = texts;
  if (refundedAmount > 0) {
    return <State kind="idle" text={fill(text.refunded, { amount: moneyText(refundedAmount, currency) })} />;
  }
  if (status === "finished") return <State kind="ok" text={text.finished} />;
  if (status === "cancelled") return <State kind="idle" text={text.cancelled} />;
  if (isExpired) return <State kind="idle" text={text.expired} />;
  return <State kind="warn" text={status === "doing" ? text.doing : text.waiting} />;
}

/** Returns what is ordered in words. */
export function orderedText({ type }: Order): string {
  return type === "charge" || type === "buyTrafficPackage" ? texts.value[type] : type;
}

/** Returns the amount of an order, which is sent with few digits, with its currency. */
export function amountOf({ amount, currency }: Order): string {
  return moneyText(Number(amount.toFixed(2)), currency);
}
