import type { Invoice } from "../../../parts/money/models.ts";
import type { NamedUser } from "../../../parts/money/user_link.tsx";
import { callPath } from "../../../shell/call.ts";

export const CREATE = "UserInvoiceService/createUserInvoice";
export const CREDIT = "UserInvoiceService/createUserCreditNote";
export const LIST = {
  list: "UserInvoiceService/listUserInvoices",
  field: "userInvoices",
  count: "UserInvoiceService/countUserInvoices",
};

export async function findInvoice(number: string, signal?: AbortSignal): Promise<Invoice | undefined> {
  return (await callPath("UserInvoiceService/findUserInvoice", { number }, signal))["userInvoice"] as
    | Invoice
    | undefined;
}

/** Returns who pays an invoice, by the name that is printed on it. */
export function payerOf({ userId, address }: Invoice): NamedUser {
  return { id: userId, username: "", fullname: address?.name ?? "" };
}
