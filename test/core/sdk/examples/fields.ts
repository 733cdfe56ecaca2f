import { equal, throws } from "node:assert/strict";
import { invalid } from "edgehelm";
import { addMonths, amountField, amountText, daysField, hostNameField } from "edgehelm/fields";

function checkInvoice(request: { host: string; total: number; dayFrom: string; dayTo: string }) {
  const host = hostNameField("host", request.host);
  const total = amountField("total", request.total);
  const { from, to } = daysField(request);
  if (from >= to) throw invalid("dayTo", "must not be before dayFrom");
  return { host, total };
}

const request = { host: "NS1.Example.com.", total: 12.5, dayFrom: "2026-01-31", dayTo: "20260131" };
const { host, total } = checkInvoice(request);
equal(host, "ns1.example.com");
equal(amountText(total), "12.50");
equal(addMonths("2026-01-31", 1), "2026-02-28");
throws(() => checkInvoice({ ...request, total: 0.001 }), { message: "total: must have at most 2 decimals, got 0.001" });
