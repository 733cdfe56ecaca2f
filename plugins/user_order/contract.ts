import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";

/** A purchase that an order pays for. */
export interface OrderedPurchase {
  readonly userId: bigint;
  /** The price at the time of the order, in hundredths of the currency unit. */
  readonly amount: bigint;
  /** The parameters of the order. */
  readonly paramsJSON: Uint8Array;
}

/** A type of orders: a kind of purchase. */
export interface OrderType {
  /** The name, such as `buyTrafficPackage`. */
  readonly type: string;
  /** Checks the parameters of a new order and returns its price. Refuses what is not sold to the user. */
  priceOf(call: Call, field: string, userId: bigint, paramsJSON: Uint8Array): Promise<bigint>;
  /**
   * Makes the purchase, in the transaction that books the payment on the account, which covers the price: charges the
   * account and gives what was bought. If that is no longer possible, it returns false without having written anything;
   * the money then stays on the account.
   */
  purchase(call: Call, purchase: OrderedPurchase): Promise<boolean>;
}
export const OrderTypes: ExtensionPoint<OrderType> = defineExtensionPoint("user_order.types");

/** The result of a notice: `booked`, `noted` without money, or the reason why nothing was booked. */
export type NoticeResult = "booked" | "noted" | "repeated" | "unknown_order" | "differs" | "no_user";

/** A verified event of the payment of an order, as providers return it. */
export interface OrderEvent {
  /** The id that the provider gave to the event: the same for every notice about it. */
  readonly id: string;
  readonly kind: "paid" | "pending" | "failed" | "refunded" | "refund_failed" | "chargeback";
  readonly orderCode: string;
  /** In hundredths of the currency unit; never negative. */
  readonly amount: bigint;
  readonly currency: string;
  /** The code of the refund that the event is about, if the installation started it; empty if it is not known. */
  readonly refundCode?: string;
}

/** Takes events of payment providers. */
export interface UserOrders {
  /**
   * Books a verified event of a payment, once: a repeated event with the same id changes nothing. An event that differs
   * from its order in amount or currency marks the order and books nothing.
   *
   * @param orderMethodId the method whose provider sent the event; orders of other methods are unknown to it
   *
   * @example
   * ```ts
   * const result = await orders.receive(call, method.id, await provider.readNotice(method, notice));
   * ```
   */
  receive(call: Call, orderMethodId: bigint, event: OrderEvent): Promise<NoticeResult>;
}
export const UserOrders: Contract<UserOrders> = defineContract("user_order");
