import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { invoiceKind, InvoiceLines } from "../../../parts/money/invoice_lines.tsx";
import type { Invoice } from "../../../parts/money/models.ts";
import { UserLink } from "../../../parts/money/user_link.tsx";
import { NotFound } from "../../../parts/not_found.tsx";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { callPath } from "../../../shell/call.ts";
import { goTo, linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { dayText } from "../../../texts/amounts.ts";
import { fill } from "../../../texts/fill.ts";
import { CREDIT, findInvoice, payerOf } from "./invoice.ts";
import { texts } from "./texts.ts";

/** An invoice or credit note as it was issued. */
export function InvoicePage({ number }: { number: string }): JSX.Element {
  const [isCrediting, setCrediting] = useState(false);
  const found = useLoaded(async (signal) => ({ invoice: await findInvoice(number, signal) }), [number]);
  const { value: text } = texts;
  if (found.error !== undefined) return <Failure error={found.error} onRetry={found.reload} />;
  if (found.value === undefined) return <Skeleton rows={6} />;
  const { invoice } = found.value;
  if (invoice === undefined) return <NotFound />;
  const { address, seller, day, note, correctsNumber } = invoice;
  return (
    <>
      <div class="head">
        <h1>{fill(text.titleOf, { kind: invoiceKind(invoice), number })}</h1>
        <span class="sp" />
        {invoice.kind === "invoice" && mayCall(CREDIT) && (
          <button
            type="button"
            class="btn"
            onClick={() => setCrediting(true)}
          >
            {text.credit}
          </button>
        )}
      </div>
      <div class="panel facts">
        <dl>
          <div>
            <dt>{text.user}</dt>
            <dd>
              <UserLink user={payerOf(invoice)} />
              <div class="lines-of-text">{[address?.address, address?.country].filter(Boolean).join("\n")}</div>
            </dd>
          </div>
          {seller !== "" && (
            <div>
              <dt>{text.seller}</dt>
              <dd class="lines-of-text">{seller}</dd>
            </div>
          )}
          <div>
            <dt>{text.day}</dt>
            <dd>{dayText(day)}</dd>
          </div>
          {correctsNumber !== "" && (
            <div>
              <dt>{text.corrects}</dt>
              <dd>
                <a class="link mono" href={linkTo(["invoices", correctsNumber])}>{correctsNumber}</a>
              </dd>
            </div>
          )}
        </dl>
      </div>
      <div class="panel pad items-of-invoice">
        <InvoiceLines invoice={invoice} />
        {note !== "" && <p class="lines-of-text">{note}</p>}
      </div>
      {isCrediting && <CreditDialog invoice={invoice} onClose={() => setCrediting(false)} />}
    </>
  );
}

function CreditDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }): JSX.Element {
  const [amount, setAmount] = useState("");
  const [reason, setReason] = useState("");
  const { value: text } = texts;
  return (
    <ActionDialog
      title={fill(text.creditTitle, { number: invoice.number })}
      action={text.creditIssue}
      onAct={async () => {
        const request = { userInvoiceId: invoice.id, amount: Number(amount), reason: reason.trim() };
        goTo(linkTo(["invoices", (await callPath(CREDIT, request))["number"] as string]));
      }}
      onClose={onClose}
    >
      <p>{fill(text.creditHelp, { name: payerOf(invoice).fullname })}</p>
      <div class="field">
        <label for="credit-amount">{text.amount}</label>
        <input
          id="credit-amount"
          type="number"
          min={0.01}
          step={0.01}
          aria-describedby="credit-amount-help"
          value={amount}
          onInput={(event) => setAmount(event.currentTarget.value)}
        />
        <p class="help" id="credit-amount-help">{text.creditAmountHelp}</p>
      </div>
      <div class="field">
        <label for="credit-reason">{text.reason}</label>
        <textarea
          id="credit-reason"
          rows={2}
          required
          maxLength={1000}
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </div>
    </ActionDialog>
  );
}
