import { callPath } from "../../../shell/call.ts";
import { goTo, linkTo } from "../../../shell/route.ts";

interface NewOrder {
  readonly type: "charge" | "buyTrafficPackage";
  readonly orderMethodCode: string;
  readonly amount: number;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Creates an order and shows how to pay it: its page is among the orders. */
export async function openPayment({ type, orderMethodCode, amount, params }: NewOrder): Promise<void> {
  const paramsJSON = params === undefined
    ? new Uint8Array()
    : new TextEncoder().encode(JSON.stringify(params, numbers));
  const request = { type, orderMethodCode, amount, paramsJSON };
  const { code } = await callPath("UserOrderService/createUserOrder", request);
  goTo(linkTo(["billing", "orders", code as string]));
}

function numbers(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}
