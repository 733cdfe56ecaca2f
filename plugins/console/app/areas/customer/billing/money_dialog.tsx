import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { PaymentMethods, usePaymentMethods } from "./methods.tsx";
import { openPayment } from "./payment.ts";
import { texts } from "./texts.ts";

interface MoneyDialogProps {
  /** The proposed amount; 0 for none. */
  readonly amount: number;
  readonly onClose: () => void;
  readonly onPaid: () => void;
}

/** Orders money for the account. */
export function MoneyDialog({ amount, onClose, onPaid }: MoneyDialogProps): JSX.Element {
  const methods = usePaymentMethods();
  const [typed, setTyped] = useState(amount > 0 ? amount.toFixed(2) : "");
  const [method, setMethod] = useState<string>();
  const { value: text } = texts;
  const chosen = method ?? methods[0]?.code;
  async function act(): Promise<void> {
    await openPayment({ type: "charge", orderMethodCode: chosen!, amount: Number(typed) });
    onPaid();
  }
  return (
    <ActionDialog
      title={text.addMoney}
      action={text.order}
      isDisabled={chosen === undefined}
      onAct={act}
      onClose={onClose}
    >
      <div class="field">
        <label for="money-amount">{text.amount}</label>
        <input
          id="money-amount"
          type="number"
          required
          min="0.01"
          step="0.01"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      {methods.length === 0
        ? <p class="notice">{text.noMethods}</p>
        : <PaymentMethods legend={text.payWith} methods={methods} chosen={chosen ?? ""} onChoose={setMethod} />}
    </ActionDialog>
  );
}
