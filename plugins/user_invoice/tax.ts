import { invalid } from "edgehelm";
import { rateField } from "edgehelm/fields";
import { roundedQuotient } from "../user_account/contract.ts";
import type { UserInvoiceConfig } from "./proto/config_pb.ts";
import { countryField } from "./rules.ts";

const MILLION = 10n ** 6n;

/** The tax of an invoice. */
export interface Tax {
  /** In millionths. */
  readonly rate: bigint;
  readonly label: string;
  /** The text that the invoice must have; may be empty. */
  readonly text: string;
}

const NO_TAX: Tax = { rate: 0n, label: "", text: "" };

/** Returns the tax for a buyer. */
export type TaxOf = (buyer: { readonly country: string; readonly taxNumber: string }) => Tax;

/** Returns the table of taxes of a configuration. Refuses an invalid configuration. */
export function taxTable(taxes: UserInvoiceConfig["taxes"]): TaxOf {
  const table = new Map(taxes.map(({ country, rate, label, reverseChargeText }, index) => {
    const field = `taxes[${index}]`;
    const millionths = rateField(`${field}.rate`, rate);
    if (millionths > MILLION) throw invalid(`${field}.rate`, `must be at most 1, got ${rate}`);
    return [countryField(`${field}.country`, country), { rate: millionths, label, reverseChargeText }] as const;
  }));
  if (table.size < taxes.length) throw invalid("taxes", "must name each country once");
  return ({ country, taxNumber }) => {
    const tax = table.get(country);
    if (tax === undefined) return NO_TAX;
    const isReversed = taxNumber !== "" && tax.reverseChargeText !== "";
    return isReversed ? { ...NO_TAX, text: tax.reverseChargeText } : { rate: tax.rate, label: tax.label, text: "" };
  };
}

/** Returns an amount without the tax that it includes, in hundredths, rounded half up. */
export function netOf(total: bigint, rate: bigint): bigint {
  return roundedQuotient(total * MILLION, MILLION + rate);
}
