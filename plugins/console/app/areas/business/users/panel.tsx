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
import { AccountEntries } from "../../../parts/money/account_entries.tsx";
import { MoneyDialog } from "./money_dialog.tsx";
import { BOOK, loadStanding, type OpenBills, type Standing, STATE_KINDS, stateOf, type User } from "./standing.ts";
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
  const { account, bills } = standing.value;
  const state = stateOf(user, standing.value);
  return (
    <div class="panel standing">
      <p class="pad">
        <State kind={STATE_KINDS[state]} text={text.states[state]} /> {text.meanings[state]}{" "}
        {state === "rejected" && fill(text.reason, { reason: user.rejectReason })}
      </p>
      <Figures account={account} bills={bills} />
      {account && (
        <>
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

/** What the user has and owes, as far as the reader may see it. */
function Figures({ account, bills }: Standing): JSX.Element | null {
  const { value: text } = texts;
  const figures = [
    ...account === undefined ? [] : [[text.balance, moneyText(account.total)] as const],
    ...account === undefined || account.debt <= 0 ? [] : [[text.debt, moneyText(account.debt)] as const],
    ...bills === undefined ? [] : [[text.open, <Bills key="bills" {...bills} />] as const],
  ];
  if (figures.length === 0) return null;
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Bills({ count, amount, overdue }: OpenBills): JSX.Element {
  const { value: text } = texts;
  return (
    <>
      <span>{count === 0 ? text.noBills : fill(plural(text.openBills, count), { amount: moneyText(amount) })}</span>
      {" "}
      {overdue > 0 && <State kind="bad" text={plural(text.overdue, overdue)} />}
    </>
  );
}
