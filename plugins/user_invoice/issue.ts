import { type Call, type Clock, unixSeconds } from "edgehelm";
import { type TimeSpan, today } from "edgehelm/fields";
import type { UserAccounts } from "../user_account/contract.ts";
import { errors } from "./errors.ts";
import type { InvoiceTerms, Line } from "./rules.ts";
import type { NewUserInvoice, UserInvoiceRow, UserInvoiceStore } from "./store.ts";
import { netOf, type TaxOf } from "./tax.ts";

const MAX_ENTRIES = 1000;
const NUMBER_DIGITS = 6;

/** The dependencies of issuing. */
export interface IssueDeps {
  readonly invoices: UserInvoiceStore;
  readonly accounts: UserAccounts;
  readonly terms: InvoiceTerms;
  readonly taxOf: TaxOf;
  readonly clock: Clock;
}

/** An invoice that was issued. */
export interface Issued {
  readonly userInvoiceId: bigint;
  readonly number: string;
}

/** Issues invoices and credit notes, which get their numbers in the transaction that stores them. */
export class InvoiceIssue {
  readonly #deps: IssueDeps;

  constructor(deps: IssueDeps) {
    this.#deps = deps;
  }

  /** Issues an invoice for the expenses of a user in a span of time that are on no invoice yet, and for further lines. */
  async invoice(call: Call, userId: bigint, span: TimeSpan, more: readonly Line[], note: string): Promise<Issued> {
    const { invoices, taxOf, terms } = this.#deps;
    const address = await invoices.address.first(call, { userId });
    if (address === undefined) throw errors.no_address(userId);
    const entries = await this.#openEntries(call, userId, span);
    const lines = [...entries.map(({ description, delta }) => ({ description, amount: -delta })), ...more];
    if (lines.length === 0) throw errors.no_lines(userId);
    const { rate: taxRate, label: taxLabel, text } = taxOf(address);
    const totalAmount = lines.reduce((sum, { amount }) => sum + amount, 0n);
    const netAmount = netOf(totalAmount, taxRate);
    const issued = await this.#store(call, terms.series, {
      ...address,
      ...{ userId, kind: "invoice", correctsId: 0n, lines: linesText(lines) },
      ...{ netAmount, taxAmount: totalAmount - netAmount, totalAmount, taxRate, taxLabel },
      note: [text, note].filter((part) => part !== "").join("\n"),
    });
    for (const { id: entryId } of entries) await invoices.addEntry.run(call, { entryId, ...issued });
    return issued;
  }

  /**
   * Issues a credit note over an amount of an invoice, or over what is left of it. All credit notes of an invoice together
   * have its net amount and its tax, rounding included.
   */
  async creditNote(call: Call, invoice: UserInvoiceRow, requested: bigint, reason: string): Promise<Issued> {
    if (invoice.kind !== "invoice") throw errors.not_invoice(invoice.number);
    const corrected = await this.#deps.invoices.corrected.one(call, { id: invoice.id });
    const left = invoice.totalAmount + corrected.total;
    const amount = requested === 0n ? left : requested;
    if (amount === 0n || amount > left) throw errors.too_much(invoice.number, left);
    const net = netOf(amount - corrected.total, invoice.taxRate) + corrected.net;
    const { userId, name, address, country, taxNumber, taxRate, taxLabel } = invoice;
    return await this.#store(call, this.#deps.terms.creditSeries, {
      ...{ userId, name, address, country, taxNumber, taxRate, taxLabel },
      ...{ kind: "creditNote", correctsId: invoice.id },
      lines: linesText([{ description: `${invoice.number}: ${reason}`, amount: -amount }]),
      ...{ netAmount: -net, taxAmount: net - amount, totalAmount: -amount },
      note: reason,
    });
  }

  async #openEntries(call: Call, userId: bigint, span: TimeSpan) {
    const { accounts, invoices } = this.#deps;
    const entries = await accounts.purchases(call, userId, span, MAX_ENTRIES + 1);
    if (entries.length > MAX_ENTRIES) throw errors.too_many(MAX_ENTRIES);
    const invoiced = await invoices.invoiced.all(call, { ids: entries.map(({ id }) => id) });
    const closed = new Set(invoiced.map(({ entryId }) => entryId));
    return entries.filter(({ id }) => !closed.has(id));
  }

  async #store(
    call: Call,
    series: string,
    invoice: Omit<NewUserInvoice, "number" | "year" | "day" | "seller" | "currency" | "createdAt">,
  ): Promise<Issued> {
    const { invoices, terms: { seller, currency }, clock } = this.#deps;
    const day = today(clock);
    const year = BigInt(day.slice(0, 4));
    const { last } = await invoices.next.one(call, { series, year });
    const number = `${series}-${year}-${String(last).padStart(NUMBER_DIGITS, "0")}`;
    const createdAt = unixSeconds(clock);
    const { id } = await invoices.insert.one(call, { ...invoice, number, year, day, seller, currency, createdAt });
    return { userInvoiceId: id, number };
  }
}

function linesText(lines: readonly Line[]): string {
  return JSON.stringify(lines.map(({ description, amount }) => [description, String(amount)]));
}
