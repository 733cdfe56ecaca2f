// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.PaymentWebhookConfig": "PaymentWebhookConfig 是安装清单中 payment_webhook 的 `config` 的值。",
  "edgehelm.config.PaymentWebhookConfig.allowedRanges": "可以向其发送退款请求的内部地址范围，例如 10.1.0.0/16；也允许不使用 TLS。为空表示只允许公共互联网，且须使用 TLS。安装清单的 \"outbound.allow\" 也必须包含这些范围。",
  "edgehelm.shapes.WebhookNotice": "WebhookNotice 是通知的正文。",
  "edgehelm.shapes.WebhookNotice.data": "支付。",
  "edgehelm.shapes.WebhookNotice.type": "类型：payment.succeeded、payment.pending、payment.failed、payment.refunded、payment.refund_failed 或 payment.chargeback。",
  "edgehelm.shapes.WebhookParams": "WebhookParams 是提供方为 webhook 的支付方式的参数。",
  "edgehelm.shapes.WebhookParams.refundURL": "接收退款请求的地址，以带签名的 POST 请求发送；如果手动退款，则为空。",
  "edgehelm.shapes.WebhookParams.secrets": "通知可用来签名的其他密钥，例如更换期间的旧密钥；最多 5 个。",
  "edgehelm.shapes.WebhookPayment": "WebhookPayment 是通知所涉及的支付。",
  "edgehelm.shapes.WebhookPayment.amount": "金额，为十进制文本，例如 \"12.50\"。",
  "edgehelm.shapes.WebhookPayment.currency": "货币，例如 EUR。",
  "edgehelm.shapes.WebhookPayment.orderCode": "已支付订单的代码。",
  "edgehelm.shapes.WebhookPayment.refundCode": "通知所涉及退款的代码，与退款请求中的一致；其他通知中为空。",
  "edgehelm.shapes.WebhookRefund": "WebhookRefund 是要退还的金额。",
  "edgehelm.shapes.WebhookRefund.amount": "金额，为十进制文本，例如 \"12.50\"。",
  "edgehelm.shapes.WebhookRefund.currency": "货币，例如 EUR。",
  "edgehelm.shapes.WebhookRefund.orderCode": "已退款订单的代码。",
  "edgehelm.shapes.WebhookRefund.reason": "原因；可以为空。",
  "edgehelm.shapes.WebhookRefund.refundCode": "通知所涉及退款的代码。",
  "edgehelm.shapes.WebhookRefundRequest": "WebhookRefundRequest 是退款请求的正文。",
  "edgehelm.shapes.WebhookRefundRequest.data": "退款。",
  "edgehelm.shapes.WebhookRefundRequest.timestamp": "请求的时间，例如 2026-01-31T12:00:00Z。",
  "edgehelm.shapes.WebhookRefundRequest.type": "始终为 refund.requested。",
};
