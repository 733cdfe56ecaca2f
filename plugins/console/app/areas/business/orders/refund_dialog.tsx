import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { userName } from "../../../parts/money/user_link.tsx";
import { callPath } from "../../../shell/call.ts";
import { moneyText } from "../../../texts/amounts.ts";
import { fill } from "../../../texts/fill.ts";
import { REFUND, restOf, type UserOrder } from "./order.ts";
import { texts } from "./texts.ts";

interface RefundDialogProps {
  readonly order: UserOrder;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Starts a refund. Before that, it says how much goes from whom to whom. */
export function RefundDialog({ order, onDone, onClose }: RefundDialogProps): JSX.Element {
  const rest = restOf(order);
  const [typed, setTyped] = useState(rest.toFixed(2));
  const [reason, setReason] = useState("");
  const { value: text } = texts;
  const amount = Number(typed);
  const method = order.orderMethod;
  const values = {
    amount: moneyText(amount, order.currency),
    name: userName(order.user, order.userId),
    method: method?.name ?? "",
  };
  return (
    <ActionDialog
      title={fill(text.refundTitle, { code: order.code })}
      action={fill(text.refundAmount, values)}
      isDangerous
      isDisabled={!(amount > 0)}
      onAct={async () => {
        await callPath(REFUND, { orderCode: order.code, amount, reason: reason.trim() });
        onDone();
      }}
      onClose={onClose}
    >
      <div class="field">
        <label for="refund-amount">{text.amount}</label>
        <input
          id="refund-amount"
          type="number"
          min={0.01}
          max={rest}
          step={0.01}
          required
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="refund-reason">{text.reason}</label>
        <input
          id="refund-reason"
          type="text"
          maxLength={200}
          aria-describedby="refund-reason-help"
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
        <p class="help" id="refund-reason-help">{text.reasonHelp}</p>
      </div>
      <p aria-live="polite">{fill(method?.parentCode ? text.refundByProvider : text.refundByHand, values)}</p>
    </ActionDialog>
  );
}
