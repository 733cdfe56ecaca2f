import { type Clock, invalid, jsonField, RpcError } from "edgehelm";
import { webhookKey, webhookSignature } from "edgehelm/auth";
import { amountText } from "edgehelm/fields";
import type { PaymentEvent, PaymentEventKind, PaymentMethod, PaymentProvider } from "../order_method/contract.ts";
import { errors } from "./errors.ts";
import { WebhookNoticeSchema, WebhookParamsSchema } from "./proto/shapes_pb.ts";
import type { RefundAddresses } from "./refund_address.ts";
import { requestRefund } from "./refund_request.ts";
import { verified } from "./signature.ts";

export const WEBHOOK = "webhook";
const MAX_SECRETS = 5;
const MAX_CODE = 60;

const KINDS: Readonly<Record<string, PaymentEventKind>> = {
  "payment.succeeded": "paid",
  "payment.pending": "pending",
  "payment.failed": "failed",
  "payment.refunded": "refunded",
  "payment.refund_failed": "refund_failed",
  "payment.chargeback": "chargeback",
};

/** The provider whose notices are signed web hooks. */
export function webhookProvider(clock: Clock, addresses: RefundAddresses): PaymentProvider {
  return {
    code: WEBHOOK,

    checkParams(field, json) {
      const { secrets, refundURL } = jsonField(field, json, WebhookParamsSchema)!;
      if (refundURL !== "") addresses.require(`${field}.refundURL`, refundURL);
      if (secrets.length > MAX_SECRETS) throw invalid(`${field}.secrets`, `must have at most ${MAX_SECRETS} items`);
      const wrong = secrets.findIndex((secret) => webhookKey(secret) === undefined);
      if (wrong >= 0) throw invalid(`${field}.secrets[${wrong}]`, "must be whsec_ and 16 to 64 bytes in base64");
    },

    async createPayment(_call, { url, secret }, { orderCode, amount, currency, expiresAt }) {
      if (url === "") return "";
      const page = new URL(url);
      const fields = { order: orderCode, amount: amountText(amount), currency, expires: String(expiresAt) };
      for (const [name, value] of Object.entries(fields)) page.searchParams.set(name, value);
      page.searchParams.set("signature", await webhookSignature(secret, Object.values(fields).join(".")));
      return page.href;
    },

    async readNotice(method, { header, body }) {
      const headers = {
        id: header("webhook-id"),
        timestamp: header("webhook-timestamp"),
        signature: header("webhook-signature"),
      };
      const id = await verified(headers, body, secretsOf(method), Math.floor(clock.now() / 1000));
      return eventOf(id, body);
    },

    async refund(call, method, refund) {
      const { refundURL = "" } = jsonField("paramsJSON", method.paramsJSON, WebhookParamsSchema) ?? {};
      if (refundURL === "") throw new Error("the method has no refundURL: pay it back by hand, and finish it");
      addresses.require("refundURL", refundURL);
      return await requestRefund(call, clock, refundURL, method, refund);
    },
  };
}

function secretsOf({ secret, paramsJSON }: PaymentMethod): string[] {
  return [secret, ...jsonField("paramsJSON", paramsJSON, WebhookParamsSchema)?.secrets ?? []];
}

function eventOf(id: string, body: Uint8Array): PaymentEvent {
  const { type, data } = noticeOf(body);
  const kind = KINDS[type];
  if (kind === undefined) throw errors.malformed(`type must be one of ${Object.keys(KINDS).join(", ")}`);
  const { orderCode = "", amount = "", currency = "", refundCode = "" } = data ?? {};
  if (orderCode === "" || orderCode.length > MAX_CODE) throw errors.malformed("data.orderCode is missing or too long");
  if (!/^[A-Z]{3}$/.test(currency)) throw errors.malformed("data.currency must be three capital letters");
  if (refundCode.length > MAX_CODE) throw errors.malformed("data.refundCode is too long");
  return { id, kind, orderCode, amount: amountOf(amount), currency, refundCode };
}

function noticeOf(body: Uint8Array) {
  try {
    const notice = jsonField("body", body, WebhookNoticeSchema);
    if (notice !== undefined) return notice;
  } catch (error) {
    if (error instanceof RpcError) throw errors.malformed(error.message);
    throw error;
  }
  throw errors.malformed("the body is empty");
}

/** Reads an amount such as 12.50 as hundredths. */
function amountOf(text: string): bigint {
  const [, whole, cents = ""] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (whole === undefined) throw errors.malformed('data.amount must be a text such as "12.50"');
  return BigInt(whole + cents.padEnd(2, "0"));
}
