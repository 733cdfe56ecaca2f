import { StructSchema } from "@bufbuild/protobuf/wkt";
import { type Call, type Clock, invalid, jsonField, kernelErrors, unixSeconds } from "edgehelm";
import { amountField, amountText } from "edgehelm/fields";
import type { OrderMethods, OrderMethodSummary, PaymentProvider } from "../order_method/contract.ts";
import type { UserStates } from "../user/contract.ts";
import type { OrderType } from "./contract.ts";
import { newCode } from "./codes.ts";
import { errors } from "./errors.ts";
import type { UserOrderStore } from "./store.ts";
import type { OrderTerms } from "./terms.ts";

const MAX_WAITING = 50;
const MAX_PARAMS_BYTES = 10_000;
const CHARGE = "charge";

/** The dependencies of new orders. */
export interface OrderDeps {
  readonly orders: UserOrderStore;
  readonly methods: OrderMethods;
  readonly states: UserStates | undefined;
  readonly types: readonly OrderType[];
  readonly providers: readonly PaymentProvider[];
  readonly terms: OrderTerms;
  readonly clock: Clock;
}

/** The order that a request describes. */
interface OrderRequest {
  readonly type: string;
  readonly orderMethodCode: string;
  readonly amount: number;
  readonly paramsJSON: Uint8Array;
}

/** Creates an order of a user and begins its payment. */
export async function createOrder(call: Call, userId: bigint, request: OrderRequest, deps: OrderDeps) {
  const { orders, methods, states, providers, terms, clock } = deps;
  const { type, paramsJSON } = request;
  if (paramsJSON.length > MAX_PARAMS_BYTES) throw invalid("paramsJSON", `must have at most ${MAX_PARAMS_BYTES} bytes`);
  jsonField("paramsJSON", paramsJSON, StructSchema);
  const method = await methods.withCode(call, request.orderMethodCode);
  if (method === undefined) {
    throw invalid("orderMethodCode", `order method "${request.orderMethodCode.slice(0, 60)}" does not exist`);
  }
  if (!method.isOn) throw errors.method_off(method.code);
  const now = unixSeconds(clock);
  const { currency, expireSeconds } = terms;
  const order = { userId, type, orderMethodId: method.id, currency, paramsJSON, createdAt: now };
  const placed = await call.transact(async (inner) => {
    await states?.require(inner, userId, type === CHARGE ? "pay" : "purchase");
    const amount = await amountOf(inner, userId, request, deps);
    if ((await orders.waiting.one(inner, { userId, now })).count >= MAX_WAITING) throw errors.too_many(MAX_WAITING);
    const fields = { ...order, amount, code: newCode(clock), expiresAt: now + expireSeconds };
    const created = await orders.insert.first(inner, fields);
    if (created === undefined) throw kernelErrors.unavailable("the code of the order is taken: try again");
    return { ...fields, id: created.id };
  });
  const payURL = await beginPayment(call, method, placed, { methods, providers });
  if (payURL !== "") await call.transact((inner) => orders.setPayURL.run(inner, { id: placed.id, payURL }));
  return { code: placed.code, payURL };
}

/** Returns the amount of a new order in hundredths. */
async function amountOf(
  call: Call,
  userId: bigint,
  request: OrderRequest,
  { types, terms }: OrderDeps,
): Promise<bigint> {
  const amount = amountField("amount", request.amount);
  if (request.type === CHARGE) {
    if (request.paramsJSON.length > 0) throw invalid("paramsJSON", "must be empty for charge");
    if (amount > 0n && amount <= terms.maxAmount) return amount;
    throw invalid("amount", `must be more than 0 and at most ${amountText(terms.maxAmount)}, got ${request.amount}`);
  }
  const type = types.find((candidate) => candidate.type === request.type);
  if (type === undefined) {
    const known = [CHARGE, ...types.map((candidate) => candidate.type)].join(", ");
    throw invalid("type", `must be one of ${known}, got "${request.type.slice(0, 60)}"`);
  }
  const price = await type.priceOf(call, "paramsJSON", userId, request.paramsJSON);
  if (amount !== 0n && amount !== price) throw errors.other_price(price, amount);
  if (price > terms.maxAmount) {
    throw invalid("paramsJSON", `must cost at most ${amountText(terms.maxAmount)}, got ${amountText(price)}`);
  }
  return price;
}

/** Lets the provider of the method begin the payment. Returns the address on which the user pays. */
async function beginPayment(
  call: Call,
  { id, parentCode }: OrderMethodSummary,
  { code: orderCode, amount, currency, expiresAt }: {
    readonly code: string;
    readonly amount: bigint;
    readonly currency: string;
    readonly expiresAt: bigint;
  },
  { methods, providers }: Pick<OrderDeps, "methods" | "providers">,
): Promise<string> {
  const method = await methods.settings(call, id);
  if (method === undefined) return "";
  const provider = providers.find((candidate) => candidate.code === parentCode);
  return await provider?.createPayment(call, method, { orderCode, amount, currency, expiresAt }) ?? method.url;
}
