import {
  type Call,
  type Handlers,
  idField,
  invalid,
  onlyOwned,
  ownerOf,
  pageOf,
  requireOwned,
  textField,
} from "edgehelm";
import { amountField, dayField, daysField, idOrNoneField } from "edgehelm/fields";
import type { Users } from "../user/contract.ts";
import { errors } from "./errors.ts";
import { InvoiceIssue, type IssueDeps } from "./issue.ts";
import { invoiceMessages } from "./messages.ts";
import type { UserInvoiceService } from "./proto/service_user_invoice_pb.ts";
import { addressFields, linesField } from "./rules.ts";
import type { Filter } from "./store.ts";

/** The dependencies of the handlers. */
export interface Deps extends IssueDeps {
  readonly users: Users;
}

const MAX_YEAR = 9999;

export function userInvoiceHandlers(deps: Deps): Handlers<typeof UserInvoiceService> {
  const { invoices, users, clock } = deps;
  const issue = new InvoiceIssue(deps);

  function filterOf(call: Call, { userId, year }: { readonly userId: bigint; readonly year: number }): Filter {
    if (year < 0 || year > MAX_YEAR) throw invalid("year", `must be 0 to ${MAX_YEAR}, got ${year}`);
    return { userId: ownerOf(call, idOrNoneField("userId", userId)), year: BigInt(year) };
  }

  return {
    async createUserInvoice(request, call) {
      const userId = idField("userId", request.userId);
      const days = { dayFrom: dayField("dayFrom", request.dayFrom), dayTo: dayField("dayTo", request.dayTo) };
      if (days.dayTo < days.dayFrom) throw invalid("dayTo", `must not be before ${days.dayFrom}, got ${days.dayTo}`);
      const lines = linesField("lines", request.lines);
      const note = textField("note", request.note, { max: 1000 });
      await users.requireUser(call, "userId", userId);
      return await issue.invoice(call, userId, daysField(days, clock), lines, note);
    },

    async createUserCreditNote(request, call) {
      const id = idField("userInvoiceId", request.userInvoiceId);
      const [found] = await invoices.byIds.all(call, { ids: [id] });
      const invoice = requireOwned(call, found, errors.not_found(id));
      const reason = textField("reason", request.reason, { min: 1, max: 1000 });
      return await issue.creditNote(call, invoice, amountField("amount", request.amount), reason);
    },

    async findUserInvoice({ userInvoiceId, number }, call) {
      const found = userInvoiceId === 0n
        ? await invoices.byNumber.first(call, { number: number.trim() })
        : (await invoices.byIds.all(call, { ids: [userInvoiceId] }))[0];
      const row = onlyOwned(call, found);
      const [userInvoice] = await invoiceMessages(call, invoices, row === undefined ? [] : [row]);
      return { userInvoice };
    },

    async countUserInvoices(request, call) {
      const filter = filterOf(call, request);
      return await invoices.listOf(filter).count.one(call, filter);
    },

    async listUserInvoices(request, call) {
      const filter = filterOf(call, request);
      const rows = await invoices.listOf(filter).page.all(call, { ...filter, ...pageOf(request) });
      return { userInvoices: await invoiceMessages(call, invoices, rows) };
    },

    async updateUserInvoiceAddress(request, call) {
      const userId = idField("userId", ownerOf(call, request.userId));
      const fields = addressFields(request);
      await users.requireUser(call, "userId", userId);
      await invoices.setAddress.run(call, { id: userId, ...fields });
      return {};
    },

    async findUserInvoiceAddress({ userId }, call) {
      return { address: await invoices.address.first(call, { userId: ownerOf(call, userId) }) };
    },
  };
}
