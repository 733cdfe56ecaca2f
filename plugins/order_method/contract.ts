import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  defineUses,
  type ExtensionPoint,
  type Uses,
} from "edgehelm";
import type { Summaries } from "edgehelm/rows";

/** The properties of a method that users may see. */
export interface OrderMethodSummary {
  readonly id: bigint;
  readonly name: string;
  readonly code: string;
  readonly description: string;
  readonly isOn: boolean;
  /** The code of its provider; empty if admins finish orders by hand. */
  readonly parentCode: string;
  readonly clientType: string;
  readonly qrcodeTitle: string;
}

/** A method as its provider needs it. */
export interface PaymentMethod {
  readonly id: bigint;
  readonly code: string;
  /** The address of the page on which users pay; may be empty. */
  readonly url: string;
  /** The shared secret, such as `whsec_…`. */
  readonly secret: string;
  /** The parameters, as JSON; `{}` if there are none. */
  readonly paramsJSON: Uint8Array;
}

/** Gives other plugins access to the ways in which users can pay. */
export interface OrderMethods extends Summaries<OrderMethodSummary> {
  /** Returns the method with this code, also if it is turned off. */
  withCode(call: Call, code: string): Promise<OrderMethodSummary | undefined>;
  /** Returns the settings of a method for its provider, with the secret. Must not run in a transaction. */
  settings(call: Call, id: bigint): Promise<PaymentMethod | undefined>;
}
export const OrderMethods: Contract<OrderMethods> = defineContract("order_method");

/** The extension point for plugins that use methods. */
export const OrderMethodUses: Uses = defineUses("order_method");

/** An order that is to be paid. */
export interface NewPayment {
  readonly orderCode: string;
  /** In hundredths of the currency unit. */
  readonly amount: bigint;
  /** The currency of the installation, such as EUR. */
  readonly currency: string;
  /** The time at which the order expires, in Unix seconds. */
  readonly expiresAt: bigint;
}

/** A message of a provider about a payment, as it arrived. */
export interface PaymentNotice {
  /** Returns a header by its name in lower case. */
  header(name: string): string | undefined;
  readonly body: Uint8Array;
}

/**
 * The kinds of events: `paid`, `refunded` in part or in full, `refund_failed` if a refund did not arrive, and `chargeback`
 * if the user's bank took the money back.
 */
export type PaymentEventKind = "paid" | "pending" | "failed" | "refunded" | "refund_failed" | "chargeback";

/** An amount that an admin pays back to a user. */
export interface PaymentRefund {
  /** Identifies the refund: the same in every attempt, so that the provider counts it once. */
  readonly code: string;
  readonly orderCode: string;
  /** In hundredths of the currency unit. */
  readonly amount: bigint;
  readonly currency: string;
  /** For the user; may be empty. */
  readonly reason: string;
}

/** The response of a provider to a refund: it took it and tells the result in a notice, or it refused it for good. */
export type RefundResponse = { readonly isTaken: true } | { readonly isTaken: false; readonly problem: string };

/** A verified event of a payment. */
export interface PaymentEvent {
  /** The id that the provider gave to the event: the same for every notice about it. */
  readonly id: string;
  readonly kind: PaymentEventKind;
  readonly orderCode: string;
  /** In hundredths of the currency unit; never negative. */
  readonly amount: bigint;
  readonly currency: string;
  /** The code of the refund that the event is about; absent or empty if the provider does not know it. */
  readonly refundCode?: string;
}

/** An adapter for a payment provider. */
export interface PaymentProvider {
  /** The code that methods name as `parentCode`. */
  readonly code: string;
  /** Refuses, with an error that names `field`, parameters that the provider does not understand. */
  checkParams(field: string, json: Uint8Array): void;
  /** Begins a payment. Returns the address on which the user pays, or an empty text if there is none. */
  createPayment(call: Call, method: PaymentMethod, payment: NewPayment): Promise<string>;
  /** Verifies who sent a notice and when, and returns its event. Refuses any other notice. */
  readNotice(method: PaymentMethod, notice: PaymentNotice): Promise<PaymentEvent>;
  /**
   * Asks the provider to pay an amount back; absent if the provider cannot. Throws if there was no response: the refund is
   * then tried again with the same code.
   */
  refund?(call: Call, method: PaymentMethod, refund: PaymentRefund): Promise<RefundResponse>;
}

/** The extension point for payment providers. */
export const PaymentProviders: ExtensionPoint<PaymentProvider> = defineExtensionPoint("order_method.providers");
