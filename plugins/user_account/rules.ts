import type { JsonObject } from "@bufbuild/protobuf";
import { choiceField, invalid } from "edgehelm";
import { amountField } from "edgehelm/fields";
import type { UserAccountEvent } from "./contract.ts";

const INCOME: readonly UserAccountEvent[] = ["charge", "award", "refund"];
const EXPENSE: readonly UserAccountEvent[] = [
  "buyPlan",
  "buyNSPlan",
  "buyTrafficPackage",
  "payBill",
  "withdraw",
  "paymentRefund",
  "chargeback",
];
export const EVENTS: readonly UserAccountEvent[] = [...INCOME, ...EXPENSE];

const MAX_PARAMS_BYTES = 10_000;

/** Validates a transaction: income must be positive, an expense negative. */
export function transactionFields(request: { readonly delta: number; readonly eventType: string }) {
  const eventType = choiceField("eventType", request.eventType, EVENTS);
  const delta = amountField("delta", request.delta, { signed: true });
  const isIncome = INCOME.includes(eventType);
  if (delta === 0n || (delta > 0n) !== isIncome) {
    throw invalid("delta", `must be ${isIncome ? "positive" : "negative"} for ${eventType}, got ${request.delta}`);
  }
  return { eventType, delta };
}

/** Validates paramsJSON; empty bytes mean an empty object. */
export function paramsField(field: string, json: Uint8Array): JsonObject {
  if (json.length === 0) return {};
  if (json.length > MAX_PARAMS_BYTES) throw invalid(field, `must have at most ${MAX_PARAMS_BYTES} bytes`);
  let params: unknown;
  try {
    params = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json));
  } catch {
    throw invalid(field, "must be JSON");
  }
  if (typeof params === "object" && params !== null && !Array.isArray(params)) return params as JsonObject;
  throw invalid(field, "must be a JSON object");
}
