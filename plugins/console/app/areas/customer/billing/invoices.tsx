import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "../../../parts/dialog.tsx";
import { mayCall } from "../../../shell/state.ts";
import { dayText, moneyText } from "../../../texts/amounts.ts";
import { GrowingTable, useGrowing } from "./growing.tsx";
import { InvoiceAddress } from "./invoice_address.tsx";
import { texts } from "./texts.ts";

interface Invoice {
  readonly id: bigint;
  readonly number: string;
  readonly kind: string;
  readonly day: string;
  readonly seller: string;
  readonly lines: readonly { readonly description: string; readonly amount: number }[];
  readonly netAmount: number;
  readonly taxLabel: string;
  readonly taxRate: number;
  readonly taxAmount: number;
  readonly totalAmount: number;
  readonly currency: string;
  readonly note: string;
}

/** The invoices of the customer, and the address on those to come. */
export function Invoices(): JSX.Element {
  const [shown, setShown] = useState<Invoice>();
  const invoices = useGrowing<Invoice>("UserInvoiceService/listUserInvoices", "userInvoices", {});
  const { value: text } = texts;
  const columns = [
    { name: text.number },
    { name: text.day },
    { name: text.kind },
    { name: text.total, isNumber: true },
  ];
  return (
    <>
      <GrowingTable list={invoices} empty={text.noInvoices} columns={columns}>
        {(invoice) => (
          <tr key={invoice.id}>
            <td class="first">
              <button type="button" class="link" onClick={() => setShown(invoice)}>{invoice.number}</button>
            </td>
            <td>{dayText(invoice.day)}</td>
            <td>{invoice.kind === "creditNote" ? text.creditNote : text.invoice}</td>
            <td class="amount">{moneyText(invoice.totalAmount, invoice.currency)}</td>
          </tr>
        )}
      </GrowingTable>
      {mayCall("UserInvoiceService/findUserInvoiceAddress") && <InvoiceAddress />}
      {shown && (
        <Dialog title={shown.number} onClose={() => setShown(undefined)}>
          <p class="dim">{dayText(shown.day)}, {shown.seller}</p>
          <dl class="lines">
            {shown.lines.map(({ description, amount }) => (
              <div key={description}>
                <dt>{description}</dt>
                <dd>{moneyText(amount)}</dd>
              </div>
            ))}
            <div>
              <dt>{text.net}</dt>
              <dd>{moneyText(shown.netAmount)}</dd>
            </div>
            {shown.taxLabel !== "" && (
              <div>
                <dt>{shown.taxLabel} {Number((shown.taxRate * 100).toFixed(2))} %</dt>
                <dd>{moneyText(shown.taxAmount)}</dd>
              </div>
            )}
            <div>
              <dt>
                <b>{text.total}</b>
              </dt>
              <dd>
                <b>{moneyText(shown.totalAmount, shown.currency)}</b>
              </dd>
            </div>
          </dl>
          {shown.note !== "" && <p>{shown.note}</p>}
        </Dialog>
      )}
    </>
  );
}
