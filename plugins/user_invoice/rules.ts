import { invalid, textField } from "edgehelm";
import { amountField } from "edgehelm/fields";
import type { UserInvoiceLine } from "./proto/service_user_invoice_pb.ts";
import type { UserInvoiceConfig } from "./proto/config_pb.ts";

const MAX_LINES = 100;

/** A line of an invoice. */
export interface Line {
  readonly description: string;
  /** In hundredths of the currency unit. */
  readonly amount: bigint;
}

/** The settings of the installation for invoices. */
export interface InvoiceTerms {
  readonly seller: string;
  readonly currency: string;
  readonly series: string;
  readonly creditSeries: string;
}

/** Returns the terms of a configuration. Refuses an invalid configuration. */
export function termsOf(config: UserInvoiceConfig): InvoiceTerms {
  const series = seriesField("series", config.series || "INV");
  const creditSeries = seriesField("creditSeries", config.creditSeries || "CN");
  if (series === creditSeries) throw invalid("creditSeries", `must differ from series, got "${series}"`);
  const currency = config.currency || "USD";
  if (!/^[A-Z]{3}$/.test(currency)) throw invalid("currency", "must be three capital letters such as EUR");
  return { seller: config.seller, currency, series, creditSeries };
}

export function countryField(field: string, value: string): string {
  if (/^[A-Z]{2}$/.test(value)) return value;
  throw invalid(field, `must be two capital letters such as DE, got "${value.slice(0, 20)}"`);
}

export function addressFields(request: { name: string; address: string; country: string; taxNumber: string }) {
  return {
    name: textField("name", request.name, { min: 1, max: 200 }),
    address: textField("address", request.address, { min: 1, max: 1000 }),
    country: countryField("country", request.country),
    taxNumber: textField("taxNumber", request.taxNumber, { max: 40 }),
  };
}

/** Checks the lines that a request adds to an invoice. */
export function linesField(field: string, lines: readonly UserInvoiceLine[]): Line[] {
  if (lines.length > MAX_LINES) throw invalid(field, `must have at most ${MAX_LINES} items, got ${lines.length}`);
  return lines.map(({ description, amount }, index) => {
    const line = `${field}[${index}]`;
    const hundredths = amountField(`${line}.amount`, amount);
    if (hundredths === 0n) throw invalid(`${line}.amount`, "must be more than 0");
    return { description: textField(`${line}.description`, description, { min: 1, max: 1000 }), amount: hundredths };
  });
}

function seriesField(field: string, value: string): string {
  if (/^[A-Za-z0-9]{1,10}$/.test(value)) return value;
  throw invalid(field, `must be 1 to 10 letters and digits, got "${value.slice(0, 20)}"`);
}
