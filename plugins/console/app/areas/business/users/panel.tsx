import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { State } from "../../../parts/state.tsx";
import type { ObjectProps } from "../../../shell/area.ts";
import { mayCall } from "../../../shell/state.ts";
import { moneyText } from "../../../texts/amounts.ts";
import { fill } from "../../../texts/fill.ts";
import { plural } from "../../../texts/mod.ts";
import { AccountEntries } from "../../customer/billing/account.tsx";
import { MoneyDialog } from "./money_dialog.tsx";
import { BOOK, loadStanding, STATE_KINDS, stateOf, type User } from "./standing.ts";
import { texts } from "./texts.ts";

/** The state of a user in words, and their money. */
export default function StandingPanel({ id, object }: ObjectProps): JSX.Element {
  const [booking, setBooking] = useState<"add" | "payOut">();
  const [round, setRound] = useState(0);
  const standing = useLoaded((signal) => loadStanding(BigInt(id), signal), [id, round]);
  const { value: text } = texts;
  if (standing.error !== undefined) return <Failure error={standing.error} onRetry={standing.reload} />;
  if (standing.value === undefined) return <Skeleton rows={4} />;
  const user = object as User;
  const { account, openBills, openAmount, overdueBills } = standing.value;
  const state = stateOf(user, standing.value);
  return (
    <div class="panel standing">
      <p class="pad">
        <State kind={STATE_KINDS[state]} text={text.states[state]} /> {text.meanings[state]}{" "}
        {state === "rejected" && fill(text.reason, { reason: user.rejectReason })}
      </p>
      {account && (
        <>
          <dl class="figures">
            <div>
              <dt>{text.balance}</dt>
              <dd>{moneyText(account.total)}</dd>
            </div>
            {account.debt > 0 && (
              <div>
                <dt>{text.debt}</dt>
                <dd>{moneyText(account.debt)}</dd>
              </div>
            )}
            <div>
              <dt>{text.open}</dt>
              <dd>
                <span>{openBills === 0 ? text.noBills : billsText(openBills, openAmount)}</span>{" "}
                {overdueBills > 0 && <State kind="bad" text={plural(text.overdue, overdueBills)} />}
              </dd>
            </div>
          </dl>
          {mayCall(BOOK) && (
            <div class="actions start pad">
              <button type="button" class="btn" onClick={() => setBooking("add")}>{text.add}</button>
              <button
                type="button"
                class="btn"
                disabled={account.total <= 0}
                onClick={() => setBooking("payOut")}
              >
                {text.payOut}
              </button>
            </div>
          )}
          {mayCall("UserAccountLogService/listUserAccountLogs") && (
            <>
              <h2 class="pad">{text.entries}</h2>
              <AccountEntries key={round} userAccountId={account.id} />
            </>
          )}
        </>
      )}
      {booking && account && (
        <MoneyDialog
          accountId={account.id}
          isPaidOut={booking === "payOut"}
          onDone={() => setRound(round + 1)}
          onClose={() => setBooking(undefined)}
        />
      )}
    </div>
  );
}

function billsText(bills: number, amount: number): string {
  return fill(plural(texts.value.openBills, bills), { amount: moneyText(amount) });
}
