import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { json, openDay } from "./day_rig.ts";

const GB = 2 ** 30;
const DAY = 86_400;

test("Orders: payments with notices, a package bought, used up and expired, an invoice and its correction", async () => {
  await using day = await openDay({
    at: Date.UTC(2026, 3, 10, 9),
    config: {
      user_bill: { trafficPricePerGB: 0.2 },
      user_order: { currency: "EUR" },
      user_invoice: { seller: "Edge Ltd", currency: "EUR", taxes: [{ country: "IE", rate: 0.23, label: "VAT" }] },
    },
  });
  const { admin, clock, edgehelm } = day;
  const [ada, bob] = [await day.user("ada"), await day.user("bob")];

  // The admin connects a payment service and sells a package of 10 GB in a region.
  const { orderMethodId } = await admin.post("OrderMethodService/createOrderMethod", {
    ...{ name: "Card", code: "card", parentCode: "webhook", url: "https://pay.test/checkout" },
  });
  const { orderMethod } = await admin.post("OrderMethodService/findEnabledOrderMethod", { orderMethodId });
  const { nodeRegionId } = await admin.post("NodeRegionService/createNodeRegion", { name: "Europe" });
  const made = await admin.post("TrafficPackageService/createTrafficPackage", { size: 10, unit: "gb" });
  const period = await admin.post("TrafficPackagePeriodService/createTrafficPackagePeriod", {
    count: 1,
    unit: "month",
  });
  const parts = { ...made, nodeRegionId, ...period };
  await admin.post("TrafficPackagePriceService/updateTrafficPackagePrice", { ...parts, price: 5 });

  /** The payment service tells about a payment. */
  async function tell(id: string, type: string, orderCode: string, amount: string): Promise<string> {
    const body = JSON.stringify({ type: `payment.${type}`, data: { orderCode, amount, currency: "EUR" } });
    const at = new Date(clock.now());
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(clock.now() / 1000)),
      "webhook-signature": new Webhook(orderMethod.secret).sign(id, at, body),
    };
    const url = "http://edgehelm.test/payments/notices?method=card";
    return (await (await edgehelm.fetch(new Request(url, { method: "POST", headers, body }))).json()).result;
  }
  const orderOf = async (fields: object) => {
    const request = { type: "charge", orderMethodCode: "card", ...fields };
    return (await ada.post("UserOrderService/createUserOrder", request)).code as string;
  };
  const find = async (code: string) => (await ada.post("UserOrderService/findEnabledUserOrder", { code })).userOrder;
  const account = async () => {
    const { userAccount } = await ada.post("UserAccountService/findEnabledUserAccountWithUserId");
    return [userAccount.total, userAccount.debt];
  };

  // She charges her account; the notice arrives twice.
  const charge = await orderOf({ amount: 20 });
  expect((await find(charge)).payURL).toContain(`order=${charge}&amount=20.00&currency=EUR`);
  expect([await tell("1", "succeeded", charge, "20.00"), await tell("1", "succeeded", charge, "20.00")])
    .toEqual(["booked", "repeated"]);
  expect(await account()).toEqual([20, 0]);

  // Another payment has a wrong amount: nothing is booked, and an admin sees it.
  const wrong = await orderOf({ amount: 30 });
  expect(await tell("2", "succeeded", wrong, "3.00")).toBe("differs");
  expect(await account()).toEqual([20, 0]);
  const { userOrders } = await admin.post("UserOrderService/listEnabledUserOrders", { status: "doing" });
  expect(userOrders).toMatchObject([{ code: wrong, problem: "paid 3.00 EUR instead of 30.00 EUR" }]);
  await ada.post("UserOrderService/cancelUserOrder", { code: wrong });
  expect(await bob.error("UserOrderService/cancelUserOrder", { code: charge })).toMatchObject({ code: 404 });

  // She orders a package and pays it with the card.
  const params = { trafficPackageId: made.trafficPackageId, nodeRegionId, ...period, count: 1 };
  const purchase = await orderOf({ type: "buyTrafficPackage", paramsJSON: params });
  expect(await find(purchase)).toMatchObject({ amount: 5, status: "none", canPay: true });
  expect(json((await find(purchase)).paramsJSON)).toEqual(params);
  expect(await tell("3", "succeeded", purchase, "5.00")).toBe("booked");
  expect([await find(purchase), await account()]).toMatchObject([{ status: "finished", problem: "" }, [20, 0]]);
  const packages = async (filter: object = {}) =>
    (await ada.post("UserTrafficPackageService/listUserTrafficPackages", filter)).userTrafficPackages;
  expect(await packages()).toMatchObject([{ totalBytes: 10 * GB, usedBytes: 0, dayTo: "2026-05-10" }]);

  // Her site sends 16 GB in April, 10 of which the package covers.
  const { nodeClusterId } = await admin.post("NodeClusterService/createNodeCluster", { name: "Frankfurt" });
  const node = await day.edgeNode("fra-1", nodeClusterId, { nodeRegionId });
  const site = { type: "httpProxy", nodeClusterId, userId: ada.id, name: "blog" };
  const { serverId } = await admin.post("ServerService/createServer", site);
  for (let times = 0; times < 2; times++) {
    const stats = [{ serverId, bytes: 8 * GB, createdAt: clock.now() / 1000, nodeRegionId }];
    await node.post("ServerDailyStatService/uploadServerDailyStats", { stats });
    clock.advance(DAY);
  }
  clock.advance(25 * DAY);
  for (let times = 0; times < 2; times++) await admin.post("UserBillService/generateAllUserBills", { month: "202604" });
  const { userBills } = await ada.post("UserBillService/listUserBills", { size: 10 });
  expect(userBills).toMatchObject([{ amount: 1.2, month: "202604" }]);
  expect(await packages()).toMatchObject([{ usedBytes: 10 * GB, canDelete: true }]);
  expect(await packages({ availableOnly: true })).toEqual([]);
  await ada.post("UserBillService/payUserBill", { userBillId: userBills[0].id });
  expect(await account()).toEqual([18.8, 0]);

  // Another package, bought from the balance, expires.
  await ada.post("UserTrafficPackageService/buyUserTrafficPackage", parts);
  expect(await packages({ availableOnly: true })).toMatchObject([{ dayTo: "2026-06-07" }]);
  clock.advance(32 * DAY);
  expect([await packages({ availableOnly: true }), (await packages()).length]).toEqual([[], 2]);

  // The bank takes the first payment back after a part was refunded; she owes what the balance does not cover.
  expect(await tell("4", "refunded", charge, "5.00")).toBe("booked");
  expect(await tell("5", "chargeback", charge, "15.00")).toBe("booked");
  expect(await tell("5", "chargeback", charge, "15.00")).toBe("repeated");
  expect(await account()).toEqual([0, 6.2]);
  expect(await tell("6", "succeeded", await orderOf({ amount: 10 }), "10.00")).toBe("booked");
  expect(await account()).toEqual([3.8, 0]);
  const { userAccountLogs } = await ada.post("UserAccountLogService/listUserAccountLogs", { size: 100 });
  expect(
    userAccountLogs.reverse().map(({ eventType, delta }: { eventType: string; delta: number }) =>
      `${eventType} ${delta}`
    ),
  ).toEqual([
    "charge 20",
    "charge 5",
    "buyTrafficPackage -5",
    "payBill -1.2",
    "buyTrafficPackage -5",
    "paymentRefund -5",
    "chargeback -8.8",
    "charge 10",
    "chargeback -6.2",
  ]);

  // An admin pays 3 of the last payment back by hand; she could not have spent it meanwhile, and it is counted once.
  const [last] = (await admin.post("UserOrderService/listEnabledUserOrders", { size: 1 })).userOrders;
  const refund = { orderCode: last.code, amount: 3, reason: "kindness" };
  expect(await ada.error("UserOrderRefundService/createUserOrderRefund", refund)).toMatchObject({ code: 403 });
  const { code: refundCode } = await admin.post("UserOrderRefundService/createUserOrderRefund", refund);
  expect(await account()).toEqual([0.8, 0]);
  expect(await tell("7", "refunded", last.code, "3.00")).toBe("noted");
  expect(await account()).toEqual([0.8, 0]);
  expect((await ada.post("UserOrderRefundService/listUserOrderRefunds")).userOrderRefunds)
    .toMatchObject([{ code: refundCode, amount: 3, status: "finished", reason: "kindness" }]);
  expect((await bob.post("UserOrderRefundService/listUserOrderRefunds")).userOrderRefunds).toEqual([]);
  await admin.post("UserAccountService/updateUserAccount", { userAccountId: ada.id, delta: 3, eventType: "charge" });

  // She gets an invoice over what she bought, which is corrected in part.
  const address = { name: "Ada", address: "1 Quay\nCork", country: "IE" };
  await ada.post("UserInvoiceService/updateUserInvoiceAddress", address);
  const invoiced = { userId: ada.id, dayFrom: "20260401", dayTo: "20260630" };
  const { number, userInvoiceId } = await admin.post("UserInvoiceService/createUserInvoice", invoiced);
  expect(number).toBe("INV-2026-000001");
  expect((await ada.post("UserInvoiceService/findUserInvoice", { number })).userInvoice).toMatchObject({
    ...{ netAmount: 9.11, taxAmount: 2.09, totalAmount: 11.2, taxLabel: "VAT", address },
    lines: [{ amount: 5 }, { amount: 1.2 }, { amount: 5 }],
  });
  expect(await admin.error("UserInvoiceService/createUserInvoice", invoiced)).toMatchObject({ code: 409 });
  const correction = { userInvoiceId, amount: 5, reason: "the package expired unused" };
  const note = await admin.post("UserInvoiceService/createUserCreditNote", correction);
  expect(note.number).toBe("CN-2026-000001");
  expect(await ada.error("UserInvoiceService/createUserCreditNote", correction)).toMatchObject({ code: 403 });
  const { userInvoices } = await ada.post("UserInvoiceService/listUserInvoices");
  expect(userInvoices.map(({ totalAmount }: { totalAmount: number }) => totalAmount)).toEqual([-5, 11.2]);
  expect((await bob.post("UserInvoiceService/listUserInvoices")).userInvoices).toEqual([]);
});
