/**
 * Checks the fields of requests, and the values in them: days and months, money, network addresses, sizes and durations.
 *
 * Every function takes the name of a field and its value, and returns the value in its stored form or throws an error that
 * names the field, the value and what is allowed. The most common ones (`textField`, `idField`, `choiceField`, `listField`,
 * `numberField`) are exported by `edgehelm` itself. The kernel has already checked that a request is well-formed and within
 * the limits of the installation; these functions check what a value means.
 *
 * Days are dates of the installation's time zone such as `2026-01-31`; the clock of a plugin knows it. Amounts of money are integers in hundredths of the currency, rates in
 * millionths; on the wire both are floating-point numbers.
 *
 * @example
 * ```ts
 * import { equal, throws } from "node:assert/strict";
 * import { invalid } from "edgehelm";
 * import { addMonths, amountField, amountText, daysField, hostNameField } from "edgehelm/fields";
 *
 * function checkInvoice(request: { host: string; total: number; dayFrom: string; dayTo: string }) {
 *   const host = hostNameField("host", request.host);
 *   const total = amountField("total", request.total);
 *   const { from, to } = daysField(request);
 *   if (from >= to) throw invalid("dayTo", "must not be before dayFrom");
 *   return { host, total };
 * }
 *
 * const request = { host: "NS1.Example.com.", total: 12.5, dayFrom: "2026-01-31", dayTo: "20260131" };
 * const { host, total } = checkInvoice(request);
 * equal(host, "ns1.example.com");
 * equal(amountText(total), "12.50");
 * equal(addMonths("2026-01-31", 1), "2026-02-28");
 * throws(() => checkInvoice({ ...request, total: 0.001 }), { message: "total: must have at most 2 decimals, got 0.001" });
 * ```
 *
 * @module
 */
export { addressNumber, type AddressRange, addressRangeField, isInRange } from "../fields/address_ranges.ts";
export {
  addDays,
  addMonths,
  compactDay,
  dayAt,
  dayField,
  dayOfMonth,
  daysField,
  dayStart,
  timeOfDayAt,
  timeOn,
  type TimeSpan,
  today,
} from "../fields/calendar.ts";
export { embeddedIn, internalAddress } from "../fields/internal_addresses.ts";
export { MAX_LIST_LENGTH, referencesField, timeZoneField, usernameField } from "../fields/fields.ts";
export {
  amountField,
  amountNumber,
  amountText,
  type MoneyOptions,
  RATE_UNITS_PER_AMOUNT_UNIT,
  rateField,
  rateNumber,
} from "../fields/money.ts";
export {
  addressField,
  addressVersion,
  asciiHostName,
  hostNameField,
  ipAddressField,
  portRangeField,
} from "../fields/network_fields.ts";
export { idOrNoneField, noneField, portField } from "../fields/number_fields.ts";
export { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../fields/page.ts";
export { absolutePathField } from "../fields/path_fields.ts";
export { registrableName } from "../fields/registrable_names.ts";
export { durationField, durationJSON, orUnchanged, sizeField, sizeJSON } from "../fields/shape_fields.ts";
