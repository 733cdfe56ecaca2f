// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.shapes.WebhookNotice": "WebhookNotice is the body of a notice.",
  "edgehelm.shapes.WebhookNotice.data": "The payment.",
  "edgehelm.shapes.WebhookNotice.type": "The type: payment.succeeded, payment.pending, payment.failed, payment.refunded or payment.chargeback.",
  "edgehelm.shapes.WebhookParams": "WebhookParams are the parameters of an order method whose provider is webhook.",
  "edgehelm.shapes.WebhookParams.secrets": "Further secrets with which notices may be signed, such as the previous one while it is replaced; up to 5.",
  "edgehelm.shapes.WebhookPayment": "WebhookPayment is a payment that a notice is about.",
  "edgehelm.shapes.WebhookPayment.amount": "The amount as a decimal text, such as \"12.50\".",
  "edgehelm.shapes.WebhookPayment.currency": "The currency, such as EUR.",
  "edgehelm.shapes.WebhookPayment.orderCode": "The code of the order.",
};
