import { Webhook } from "standardwebhooks";
import type { Client, Day } from "../day_rig.ts";

/** Tells the installation about a payment of an order in USD, as its payment service does. Returns the result. */
export type Tell = (id: string, type: string, orderCode: string, amount: number) => Promise<string>;

/** Connects a payment service, with which users pay by the method "card". */
export async function openPayments({ admin, clock, edgehelm }: Day): Promise<Tell> {
  const { orderMethodId } = await admin.post("OrderMethodService/createOrderMethod", {
    ...{ name: "Card", code: "card", parentCode: "webhook", url: "https://pay.test/checkout" },
  });
  const { orderMethod } = await admin.post("OrderMethodService/findEnabledOrderMethod", { orderMethodId });
  return async (id, type, orderCode, amount) => {
    const data = { orderCode, amount: amount.toFixed(2), currency: "USD" };
    const body = JSON.stringify({ type: `payment.${type}`, data });
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(clock.now() / 1000)),
      "webhook-signature": new Webhook(orderMethod.secret).sign(id, new Date(clock.now()), body),
    };
    const url = "http://edgehelm.test/payments/notices?method=card";
    return (await (await edgehelm.fetch(new Request(url, { method: "POST", headers, body }))).json()).result;
  };
}

/** Sells a package of 4 GB a month in a region, for 3. Returns the parameters of its order. */
export async function sellTraffic(admin: Client, nodeRegionId: number): Promise<object> {
  const made = await admin.post("TrafficPackageService/createTrafficPackage", { size: 4, unit: "gb" });
  const month = { count: 1, unit: "month" };
  const period = await admin.post("TrafficPackagePeriodService/createTrafficPackagePeriod", month);
  const parts = { ...made, nodeRegionId, ...period };
  await admin.post("TrafficPackagePriceService/updateTrafficPackagePrice", { ...parts, price: 3 });
  return { ...parts, count: 1 };
}
