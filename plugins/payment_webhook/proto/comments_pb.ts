// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.PaymentWebhookConfig": "PaymentWebhookConfig is the value of `config` for payment_webhook in the installation manifest.",
  "edgehelm.config.PaymentWebhookConfig.allowedRanges": "The ranges of internal addresses to which refunds may be sent, such as 10.1.0.0/16; also without TLS. Empty allows only the public internet, with TLS. \"outbound.allow\" of the installation manifest must contain them as well.",
  "edgehelm.shapes.WebhookNotice": "WebhookNotice is the body of a notice.",
  "edgehelm.shapes.WebhookNotice.data": "The payment.",
  "edgehelm.shapes.WebhookNotice.type": "The type: payment.succeeded, payment.pending, payment.failed, payment.refunded, payment.refund_failed or payment.chargeback.",
  "edgehelm.shapes.WebhookParams": "WebhookParams are the parameters of an order method whose provider is webhook.",
  "edgehelm.shapes.WebhookParams.refundURL": "The address that takes refunds, as signed POST requests; empty if refunds are paid by hand.",
  "edgehelm.shapes.WebhookParams.secrets": "Further secrets with which notices may be signed, such as the previous one while it is replaced; up to 5.",
  "edgehelm.shapes.WebhookPayment": "WebhookPayment is a payment that a notice is about.",
  "edgehelm.shapes.WebhookPayment.amount": "The amount as a decimal text, such as \"12.50\".",
  "edgehelm.shapes.WebhookPayment.currency": "The currency, such as EUR.",
  "edgehelm.shapes.WebhookPayment.orderCode": "The code of the order that was paid.",
  "edgehelm.shapes.WebhookPayment.refundCode": "The code of the refund that the notice is about, as the request for it contained it; empty for any other notice.",
  "edgehelm.shapes.WebhookRefund": "WebhookRefund is an amount to pay back.",
  "edgehelm.shapes.WebhookRefund.amount": "The amount as a decimal text, such as \"12.50\".",
  "edgehelm.shapes.WebhookRefund.currency": "The currency, such as EUR.",
  "edgehelm.shapes.WebhookRefund.orderCode": "The code of the order that was refunded.",
  "edgehelm.shapes.WebhookRefund.reason": "The reason; may be empty.",
  "edgehelm.shapes.WebhookRefund.refundCode": "The code of the refund that the notice is about.",
  "edgehelm.shapes.WebhookRefundRequest": "WebhookRefundRequest is the body of a request to pay an amount back.",
  "edgehelm.shapes.WebhookRefundRequest.data": "The refund.",
  "edgehelm.shapes.WebhookRefundRequest.timestamp": "The time of the request, such as 2026-01-31T12:00:00Z.",
  "edgehelm.shapes.WebhookRefundRequest.type": "Always refund.requested.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
