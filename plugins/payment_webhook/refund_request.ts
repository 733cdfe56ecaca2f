import { create, toJsonString } from "@bufbuild/protobuf";
import type { Call, Clock } from "edgehelm";
import { webhookHeaders } from "edgehelm/auth";
import { amountText } from "edgehelm/fields";
import type { PaymentMethod, PaymentRefund, RefundResponse } from "../order_method/contract.ts";
import { WebhookRefundRequestSchema } from "./proto/shapes_pb.ts";

const TIMEOUT_MILLISECONDS = 10_000;
/** The client errors that a later attempt may not meet: no response in time, too early, too many requests. */
const TEMPORARY = [408, 409, 425, 429];

/** Sends a signed request for a refund, whose id is the code of the refund. Throws if it must be sent again. */
export async function requestRefund(
  call: Call,
  clock: Clock,
  url: string,
  { secret }: PaymentMethod,
  { code: refundCode, amount, ...refund }: PaymentRefund,
): Promise<RefundResponse> {
  const timestamp = new Date(clock.now()).toISOString();
  const data = { ...refund, refundCode, amount: amountText(amount) };
  const request = create(WebhookRefundRequestSchema, { type: "refund.requested", timestamp, data });
  const body = toJsonString(WebhookRefundRequestSchema, request);
  const headers = await webhookHeaders(secret, refundCode, Math.floor(clock.now() / 1000), body);
  const response = await call.fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
    // the response to a refund is that of the provider itself
    redirect: "manual",
    timeoutMilliseconds: TIMEOUT_MILLISECONDS,
  });
  await response.body?.cancel();
  if (response.ok) return { isTaken: true };
  const problem = `the payment provider responded with status ${response.status}`;
  const isFinal = response.status >= 400 && response.status < 500 && !TEMPORARY.includes(response.status);
  if (isFinal) return { isTaken: false, problem };
  throw new Error(problem);
}
