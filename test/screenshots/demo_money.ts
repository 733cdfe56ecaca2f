import type { Customer, NodePost, Post } from "./demo.ts";

const DAY = 86_400_000;
const GB = 2 ** 30;

/** Fills an installation with bills, orders, a refund and invoices. */
export async function fillMoney(
  post: Post,
  signedIn: NodePost,
  users: readonly Customer[],
  nodeClusterId: unknown,
): Promise<void> {
  await methods(post);
  await bills(post, users.slice(1, 3), nodeClusterId);
  for (const { userId } of users.slice(0, 2)) {
    await orders(post, await signedIn("user", await post("UserAccessKeyService/createUserAccessKey", { userId })));
  }
  await invoices(post, users[0]!);
}

async function methods(post: Post): Promise<void> {
  await post("OrderMethodService/createOrderMethod", {
    ...{ name: "Card", code: "card", parentCode: "webhook", url: "https://pay.northwind.example/checkout" },
    description: "Visa, Mastercard",
  });
  await post("OrderMethodService/createOrderMethod", {
    ...{ name: "Bank transfer", code: "bank", description: "Name the code of the order in the transfer." },
  });
}

async function bills(post: Post, users: readonly Customer[], nodeClusterId: unknown): Promise<void> {
  const { planId } = await post("PlanService/createPlan", {
    ...{ name: "Pay as you go", priceType: "traffic", trafficPriceJSON: { base: 0.05 } },
    ...{ description: "For sites that grow.", featuresJSON: ["server.accessLog", "server.http3", "server.waf"] },
  });
  const dayTo = new Date(Date.now() + 90 * DAY).toISOString().slice(0, 10);
  const yesterday = new Date(Date.now() - DAY);
  for (const [index, { userId, username }] of users.entries()) {
    const { userPlanId } = await post("UserPlanService/buyUserPlan", { userId, planId, dayTo });
    const { serverId } = await post("ServerService/createServer", {
      ...{ userId, type: "httpProxy", name: `${username} shop`, nodeClusterId, userPlanId },
    });
    const stat = { serverId, bytes: (200 + 140 * index) * GB, createdAt: Math.floor(yesterday.getTime() / 1000) };
    await post("ServerDailyStatService/uploadServerDailyStats", { stats: [stat] });
    await post("UserService/updateUserPricePeriod", { userId, pricePeriod: "daily" });
  }
  await post("UserBillService/generateAllUserBills", { day: yesterday.toISOString().slice(0, 10) });
  const { userBills } = await post("UserBillService/listUserBills", { paidFlag: 0, size: 10 });
  await post("UserBillService/payUserBill", { userBillId: userBills[0].id });
}

async function orders(post: Post, own: Post): Promise<void> {
  const order = async (orderMethodCode: string, amount: number) =>
    (await own("UserOrderService/createUserOrder", { type: "charge", orderMethodCode, amount })).code;
  await order("bank", 120);
  const code = await order("card", 250);
  await post("UserOrderService/finishUserOrder", { code });
  await post("UserOrderRefundService/createUserOrderRefund", {
    ...{ orderCode: code, amount: 40, reason: "Paid twice" },
  });
}

async function invoices(post: Post, { userId }: Customer): Promise<void> {
  await post("UserInvoiceService/updateUserInvoiceAddress", {
    ...{ userId, name: "Analytical Engines Ltd", address: "12 St James's Square\nLondon", country: "GB" },
  });
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY).toISOString().slice(0, 10);
  const { userInvoiceId } = await post("UserInvoiceService/createUserInvoice", {
    ...{ userId, dayFrom: day(2), dayTo: day(-1), note: "Thank you." },
  });
  await post("UserInvoiceService/createUserCreditNote", {
    ...{ userInvoiceId, amount: 4.5, reason: "Half a day without service" },
  });
}
