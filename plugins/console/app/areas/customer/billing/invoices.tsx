import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "../../../parts/dialog.tsx";
import { InvoiceAddress } from "../../../parts/money/invoice_address.tsx";
import { invoiceKind, InvoiceLines } from "../../../parts/money/invoice_lines.tsx";
import type { Invoice } from "../../../parts/money/models.ts";
import { texts as words } from "../../../parts/money/texts.ts";
import { mayCall } from "../../../shell/state.ts";
import { dayText, moneyText } from "../../../texts/amounts.ts";
import { GrowingTable, useGrowing } from "../../../parts/lists/growing.tsx";
import { texts } from "./texts.ts";

/** The invoices of the customer, and the address on those to come. */
export function Invoices(): JSX.Element {
  const [shown, setShown] = useState<Invoice>();
  const invoices = useGrowing<Invoice>("UserInvoiceService/listUserInvoices", "userInvoices", {});
  const { value: text } = texts;
  const columns = [
    { name: text.number },
    { name: text.day },
    { name: text.kind },
    { name: words.value.total, isNumber: true },
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
            <td>{invoiceKind(invoice)}</td>
            <td class="amount">{moneyText(invoice.totalAmount, invoice.currency)}</td>
          </tr>
        )}
      </GrowingTable>
      {mayCall("UserInvoiceService/findUserInvoiceAddress") && <InvoiceAddress />}
      {shown && (
        <Dialog title={shown.number} onClose={() => setShown(undefined)}>
          <p class="dim">{dayText(shown.day)}, {shown.seller}</p>
          <InvoiceLines invoice={shown} />
          {shown.note !== "" && <p>{shown.note}</p>}
        </Dialog>
      )}
    </>
  );
}
