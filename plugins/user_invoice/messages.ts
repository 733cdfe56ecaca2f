import { type Call, distinct } from "edgehelm";
import { amountNumber, rateNumber } from "edgehelm/fields";
import type { UserInvoiceRow, UserInvoiceStore } from "./store.ts";

/** Returns messages of invoices, with the numbers of those that credit notes correct. */
export async function invoiceMessages(call: Call, invoices: UserInvoiceStore, rows: readonly UserInvoiceRow[]) {
  const ids = distinct(rows.map(({ correctsId }) => correctsId).filter((id) => id !== 0n));
  const corrected = ids.length === 0 ? [] : await invoices.byIds.all(call, { ids });
  const numberOf = new Map(corrected.map(({ id, number }) => [id, number]));
  return rows.map((row) => ({
    id: row.id,
    userId: row.userId,
    number: row.number,
    kind: row.kind,
    correctsNumber: numberOf.get(row.correctsId) ?? "",
    day: row.day,
    createdAt: row.createdAt,
    seller: row.seller,
    address: { name: row.name, address: row.address, country: row.country, taxNumber: row.taxNumber },
    lines: (JSON.parse(row.lines) as [string, string][]).map(([description, amount]) => ({
      description,
      amount: amountNumber(BigInt(amount)),
    })),
    netAmount: amountNumber(row.netAmount),
    taxRate: rateNumber(row.taxRate),
    taxLabel: row.taxLabel,
    taxAmount: amountNumber(row.taxAmount),
    totalAmount: amountNumber(row.totalAmount),
    currency: row.currency,
    note: row.note,
  }));
}
