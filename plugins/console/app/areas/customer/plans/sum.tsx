import type { JSX } from "preact";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { moneyText } from "../../../texts/amounts.ts";
import type { Balance } from "../reader.ts";
import { texts } from "./texts.ts";

interface SumProps {
  readonly total: number;
  /** The balance that pays it; undefined if it is paid in another way. */
  readonly balance: Balance | undefined;
  readonly onMissing: (amount: number) => void;
}

/** The price, what is left of the balance afterwards, and what to do if it does not suffice. */
export function Sum({ total, balance, onMissing }: SumProps): JSX.Element {
  const { value: text } = texts;
  const rest = balance === undefined ? undefined : balance.total - total;
  return (
    <div class="sum" aria-live="polite">
      <p>
        {text.total} <b class="sp">{moneyText(total)}</b>
      </p>
      {rest !== undefined && rest >= 0 && (
        <p class="dim">
          {text.afterwards} <span class="sp">{moneyText(rest)}</span>
        </p>
      )}
      {rest !== undefined && rest < 0 && (
        <p class="lacking">
          {fill(text.missing, { amount: moneyText(-rest) })}
          {mayCall("UserOrderService/createUserOrder") && (
            <button
              type="button"
              class="btn sp"
              onClick={() => onMissing(-rest)}
            >
              {fill(text.addMissing, { amount: moneyText(-rest) })}
            </button>
          )}
        </p>
      )}
    </div>
  );
}
