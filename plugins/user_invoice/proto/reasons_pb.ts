// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/UserInvoiceService/countUserInvoices": ["kernel.invalid_field"],
  "/UserInvoiceService/createUserCreditNote": ["kernel.invalid_field","user_invoice.not_found","user_invoice.not_invoice","user_invoice.too_much"],
  "/UserInvoiceService/createUserInvoice": ["kernel.invalid_field","user.unknown","user_invoice.no_address","user_invoice.no_lines","user_invoice.too_many"],
  "/UserInvoiceService/findUserInvoice": ["kernel.invalid_field"],
  "/UserInvoiceService/findUserInvoiceAddress": ["kernel.invalid_field"],
  "/UserInvoiceService/listUserInvoices": ["kernel.invalid_field"],
  "/UserInvoiceService/updateUserInvoiceAddress": ["kernel.invalid_field","user.unknown"],
};
