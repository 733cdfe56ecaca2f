import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { CopyButton } from "../../../parts/copy_button.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { State } from "../../../parts/state.tsx";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { relativeTime } from "../../../texts/mod.ts";
import { moneyText } from "../../../texts/amounts.ts";
import { linkTo } from "../../../shell/route.ts";
import type { Order } from "../models.ts";
import { GrowingTable, useGrowing } from "./growing.tsx";
import { texts } from "./texts.ts";

/** The orders of the customer; the one whose code is given is shown with the way to pay it. */
export function Orders({ code }: { code: string | undefined }): JSX.Element {
  const [cancelling, setCancelling] = useState<Order>();
  const orders = useGrowing<Order>("UserOrderService/listEnabledUserOrders", "userOrders", {});
  const { value: text } = texts;
  const columns = [
    { name: text.code },
    { name: text.type },
    { name: text.created },
    { name: text.state },
    { name: text.amount, isNumber: true },
    { name: "" },
  ];
  return (
    <>
      {code !== undefined && <Payment key={String(orders.value?.length)} code={code} />}
      <GrowingTable list={orders} empty={text.noOrders} columns={columns}>
        {(order) => (
          <tr key={order.code}>
            <td class="first mono">{order.code}</td>
            <td>{typeText(order)}</td>
            <td>{relativeTime(order.createdAt)}</td>
            <td>
              <OrderState order={order} />
            </td>
            <td class="amount">{amountOf(order)}</td>
            <td class="buttons">
              {order.canPay && (
                <a
                  class="btn"
                  href={linkTo(["billing", "orders", order.code])}
                  aria-label={fill(text.payOrder, { code: order.code })}
                >
                  {text.pay}
                </a>
              )}
              {order.canPay && mayCall("UserOrderService/cancelUserOrder") && (
                <button
                  type="button"
                  class="btn quiet"
                  aria-label={`${text.cancelOrder} ${order.code}`}
                  onClick={() => setCancelling(order)}
                >
                  {text.cancelOrder}
                </button>
              )}
            </td>
          </tr>
        )}
      </GrowingTable>
      {cancelling && (
        <ActionDialog
          title={text.cancelOrder}
          action={text.cancelOrder}
          isDangerous
          onAct={async () => {
            await callPath("UserOrderService/cancelUserOrder", { code: cancelling.code });
            orders.reload();
          }}
          onClose={() => setCancelling(undefined)}
        >
          <p>{fill(text.cancelHelp, { code: cancelling.code, amount: amountOf(cancelling) })}</p>
        </ActionDialog>
      )}
    </>
  );
}

/** The way to pay an order. */
function Payment({ code }: { code: string }): JSX.Element | null {
  const found = useLoaded(
    async (signal) =>
      (await callPath("UserOrderService/findEnabledUserOrder", { code }, signal))["userOrder"] as Order | undefined,
    [code],
  );
  const order = found.value;
  if (order === undefined) return null;
  const { value: text } = texts;
  const values = { code, amount: amountOf(order), method: order.orderMethod?.name ?? "" };
  if (order.status === "finished") return <p class="notice">{fill(text.orderPaid, values)}</p>;
  if (!order.canPay) return null;
  return (
    <div class="notice payment" role="status">
      <h2>{fill(text.payOrder, values)}</h2>
      <p>{fill(order.payURL === "" ? text.payThere : text.payHere, values)}</p>
      {order.payURL === ""
        ? (
          <p class="code-line">
            <code>{code}</code> <CopyButton text={code} what={text.orderCode} />
          </p>
        )
        : <a class="btn primary" href={order.payURL} target="_blank" rel="noopener">{text.openPayment}</a>}
    </div>
  );
}

function OrderState({ order }: { order: Order }): JSX.Element {
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

function typeText({ type }: Order): string {
  return type === "charge" || type === "buyTrafficPackage" ? texts.value[type] : type;
}

function amountOf({ amount, currency }: Order): string {
  return moneyText(Number(amount.toFixed(2)), currency);
}
