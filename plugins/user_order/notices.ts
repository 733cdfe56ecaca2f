import { invalid } from "edgehelm";
import type { PaymentNotice } from "../order_method/contract.ts";

const MAX_BYTES = 100_000;

/** Reads a notice that a console forwards as JSON: `{"headers": {"name": "value"}, "body": "text"}`. */
export function noticeField(field: string, formData: Uint8Array): PaymentNotice {
  if (formData.length > MAX_BYTES) throw invalid(field, `must have at most ${MAX_BYTES} bytes, got ${formData.length}`);
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(formData));
  } catch {
    throw invalid(field, "must be JSON");
  }
  const { headers, body } = isObject(json) ? json : {};
  if (!isObject(headers) || typeof body !== "string") {
    throw invalid(field, 'must be a JSON object such as {"headers": {"webhook-id": "1"}, "body": "{}"}');
  }
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
  return { header: (name) => byName.get(name), body: new TextEncoder().encode(body) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
