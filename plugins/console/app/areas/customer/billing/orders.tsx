import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { CopyButton } from "../../../parts/copy_button.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { relativeTime } from "../../../texts/mod.ts";
import { linkTo } from "../../../shell/route.ts";
import type { Order } from "../../../parts/money/models.ts";
import { amountOf, orderedText, OrderState } from "../../../parts/money/order_state.tsx";
import { GrowingTable, useGrowing } from "../../../parts/lists/growing.tsx";
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
            <td>{orderedText(order)}</td>
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
