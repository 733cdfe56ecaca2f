import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { callPath } from "../../../shell/call.ts";
import { BOOK } from "./standing.ts";
import { texts } from "./texts.ts";

const KINDS = ["charge", "award", "refund"] as const;

interface MoneyDialogProps {
  readonly accountId: bigint;
  /** True takes money from the account. */
  readonly isPaidOut: boolean;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Books money on the account of a user. */
export function MoneyDialog({ accountId, isPaidOut, onDone, onClose }: MoneyDialogProps): JSX.Element {
  const [amount, setAmount] = useState("");
  const [kind, setKind] = useState<string>("charge");
  const [description, setDescription] = useState("");
  const { value: text } = texts;
  const action = isPaidOut ? text.payOut : text.add;
  async function act(): Promise<void> {
    const eventType = isPaidOut ? "withdraw" : kind;
    const delta = isPaidOut ? -Number(amount) : Number(amount);
    await callPath(BOOK, { userAccountId: accountId, delta, eventType, description: description.trim() });
    onDone();
  }
  return (
    <ActionDialog title={action} action={action} isDisabled={!(Number(amount) > 0)} onAct={act} onClose={onClose}>
      <div class="field">
        <label for="money-amount">{text.amount}</label>
        <input
          id="money-amount"
          type="number"
          min="0.01"
          step="0.01"
          required
          value={amount}
          onInput={(event) => setAmount(event.currentTarget.value)}
        />
      </div>
      {!isPaidOut && (
        <div class="field">
          <label for="money-kind">{text.kind}</label>
          <select id="money-kind" value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            {KINDS.map((known) => <option key={known} value={known}>{text.kinds[known]}</option>)}
          </select>
        </div>
      )}
      <div class="field">
        <label for="money-description">{text.description}</label>
        <input
          id="money-description"
          type="text"
          maxLength={1000}
          aria-describedby="money-description-help"
          value={description}
          onInput={(event) => setDescription(event.currentTarget.value)}
        />
        <p class="help" id="money-description-help">{text.descriptionHelp}</p>
      </div>
    </ActionDialog>
  );
}
