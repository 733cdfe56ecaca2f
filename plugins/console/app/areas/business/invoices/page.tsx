import type { JSX } from "preact";
import { filterId, filterValue, TextFilter, UserFilter } from "../../../parts/lists/filters.tsx";
import { PagedTable, usePage } from "../../../parts/lists/paged.tsx";
import { invoiceKind } from "../../../parts/money/invoice_lines.tsx";
import type { Invoice } from "../../../parts/money/models.ts";
import { UserLink } from "../../../parts/money/user_link.tsx";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { dayText, moneyText } from "../../../texts/amounts.ts";
import { CREATE, LIST, payerOf } from "./invoice.ts";
import { InvoicePage } from "./invoice_page.tsx";
import { NewInvoice } from "./new_invoice.tsx";
import { texts } from "./texts.ts";

/** The invoices and credit notes of all users, one of them, or the form for a new one. */
export default function InvoicesPage({ steps: [step] }: { readonly steps: readonly string[] }): JSX.Element {
  if (step === "new") return <NewInvoice />;
  if (step !== undefined) return <InvoicePage key={step} number={step} />;
  return <InvoiceList />;
}

function InvoiceList(): JSX.Element {
  const year = /^\d{4}$/.test(filterValue("year")) ? Number(filterValue("year")) : 0;
  const page = usePage<Invoice>(LIST, { year, userId: filterId("user") });
  const { value: text } = texts;
  const columns = [
    { name: text.number },
    { name: text.user },
    { name: text.kind },
    { name: text.day },
    { name: text.total, isNumber: true },
  ];
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
        <span class="sp" />
        {mayCall(CREATE) && <a class="btn primary" href={linkTo(["invoices", "new"])}>{text.issue}</a>}
      </div>
      <p class="sub">{text.help}</p>
      <div class="panel">
        <div class="filters" role="search">
          <TextFilter name="year" label={text.year} />
          <UserFilter label={text.user} emptyText={text.anyUser} />
        </div>
        <PagedTable page={page} empty={text.none} columns={columns}>
          {(invoice) => (
            <tr key={invoice.id}>
              <td>
                <a class="link main mono" href={linkTo(["invoices", invoice.number])}>{invoice.number}</a>
              </td>
              <td>
                <UserLink user={payerOf(invoice)} />
              </td>
              <td>
                {invoiceKind(invoice)}{" "}
                {invoice.correctsNumber !== "" && <span class="dim mono">{invoice.correctsNumber}</span>}
              </td>
              <td>{dayText(invoice.day)}</td>
              <td class="amount">{moneyText(invoice.totalAmount, invoice.currency)}</td>
            </tr>
          )}
        </PagedTable>
      </div>
    </>
  );
}
