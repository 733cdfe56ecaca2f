import type { JSX } from "preact";
import { moneyText } from "../../texts/amounts.ts";
import type { Invoice } from "./models.ts";
import { texts } from "./texts.ts";

/** The items of an invoice, and how its total comes about. */
export function InvoiceLines({ invoice }: { invoice: Invoice }): JSX.Element {
  const { value: text } = texts;
  return (
    <>
      <ul class="lines">
        {invoice.lines.map(({ description, amount }, index) => (
          <li key={index}>
            <span>{description}</span>
            <span>{moneyText(amount)}</span>
          </li>
        ))}
      </ul>
      <dl class="lines">
        <div>
          <dt>{text.net}</dt>
          <dd>{moneyText(invoice.netAmount)}</dd>
        </div>
        {invoice.taxLabel !== "" && (
          <div>
            <dt>{invoice.taxLabel} {Number((invoice.taxRate * 100).toFixed(2))} %</dt>
            <dd>{moneyText(invoice.taxAmount)}</dd>
          </div>
        )}
        <div>
          <dt>
            <b>{text.total}</b>
          </dt>
          <dd>
            <b>{moneyText(invoice.totalAmount, invoice.currency)}</b>
          </dd>
        </div>
      </dl>
    </>
  );
}

export function invoiceKind({ kind }: Invoice): string {
  return kind === "creditNote" ? texts.value.creditNote : texts.value.invoice;
}
