import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { BillState, periodOf } from "../../../parts/money/bill_state.tsx";
import { UserLink, userName } from "../../../parts/money/user_link.tsx";
import { NotFound } from "../../../parts/not_found.tsx";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { callPath } from "../../../shell/call.ts";
import { linkTo } from "../../../shell/route.ts";
import { isListed, mayCall } from "../../../shell/state.ts";
import { moneyText } from "../../../texts/amounts.ts";
import { fill } from "../../../texts/fill.ts";
import { relativeTime, time } from "../../../texts/mod.ts";
import { type BillDetail, loadBill, PAY } from "./bill.ts";
import { texts } from "./texts.ts";

/** A bill: what it is for, what was booked for it, and how it is paid. */
export function BillPage({ id }: { id: bigint }): JSX.Element {
  const [isPaying, setPaying] = useState(false);
  const found = useLoaded((signal) => loadBill(id, signal), [id]);
  const { value: text } = texts;
  if (found.error !== undefined) return <Failure error={found.error} onRetry={found.reload} />;
  if (found.value === undefined) return <Skeleton rows={6} />;
  const { bill, account } = found.value;
  if (bill === undefined) return <NotFound />;
  const name = userName(bill.user);
  const rest = account === undefined ? undefined : account.total - bill.amount;
  return (
    <>
      <div class="head">
        <h1>{fill(text.bill, { code: bill.code })}</h1>
        <BillState bill={bill} />
        <span class="sp" />
        {bill.canPay && mayCall(PAY) && (
          <button type="button" class="btn primary" onClick={() => setPaying(true)}>{text.pay}</button>
        )}
      </div>
      <Facts {...found.value} />
      {!bill.isPaid && isListed("User") && bill.user !== undefined && !bill.user.isDeleted && (
        <p class="notice">
          {text.correctHelp}{" "}
          <a class="link" href={linkTo(["resource", "User", bill.user.id])}>{fill(text.openAccount, { name })}</a>
        </p>
      )}
      <Entries {...found.value} />
      {isPaying && (
        <ActionDialog
          title={fill(text.payTitle, { code: bill.code })}
          action={text.pay}
          isDisabled={rest !== undefined && rest < 0}
          onAct={async () => {
            await callPath(PAY, { userBillId: bill.id });
            found.reload();
          }}
          onClose={() => setPaying(false)}
        >
          <p>{fill(text.payHelp, { amount: moneyText(bill.amount), name })}</p>
          {rest !== undefined && (
            <p class={rest < 0 ? "error" : "dim"}>
              {rest < 0
                ? fill(text.lacks, { amount: moneyText(-rest) })
                : fill(text.afterwards, { amount: moneyText(rest) })}
            </p>
          )}
        </ActionDialog>
      )}
    </>
  );
}

function Facts({ bill, account }: BillDetail): JSX.Element | null {
  const { value: text } = texts;
  if (bill === undefined) return null;
  // corrections of earlier days follow what the bill is for
  const lines = [bill.typeName, ...bill.description.split("; ")].filter((line) => line !== "");
  const facts = [
    [text.user, <UserLink key="user" user={bill.user} />],
    [text.period, periodOf(bill)],
    [text.amount, <b key="amount">{moneyText(bill.amount)}</b>],
    ...account === undefined ? [] : [[text.balance, moneyText(account.total)] as const],
    ...bill.paidAt === 0n ? [] : [[text.paidAt, time(bill.paidAt)] as const],
  ] as const;
  return (
    <div class="panel facts">
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div class="wide">
          <dt>{text.what}</dt>
          <dd>{lines.map((line) => <div key={line}>{line}</div>)}</dd>
        </div>
      </dl>
    </div>
  );
}

function Entries({ entries }: BillDetail): JSX.Element | null {
  const { value: text } = texts;
  if (entries.length === 0) return null;
  return (
    <>
      <div class="head related">
        <h2>{text.entries}</h2>
      </div>
      <div class="panel scroll">
        <table class="list">
          <thead>
            <tr>
              <th>{text.time}</th>
              <th>{text.what}</th>
              <th class="num">{text.change}</th>
              <th class="num">{text.balance}</th>
            </tr>
          </thead>
          <tbody>
            {entries.map(({ id, createdAt, description, delta, total }) => (
              <tr key={id}>
                <td title={time(createdAt)}>{relativeTime(createdAt)}</td>
                <td class="first">{description}</td>
                <td class="amount">{moneyText(delta)}</td>
                <td class="amount dim">{moneyText(total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
