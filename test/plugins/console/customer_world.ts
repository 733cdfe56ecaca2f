import { expect } from "vitest";
import type { installationDirectory, Server } from "../../harness/server.ts";

/** The plugins of an installation that sells plans, traffic and domains to customers. */
export const CUSTOMER_PLUGINS: readonly Parameters<typeof installationDirectory>[0][number][] = [
  "admin",
  "api_access_token",
  "console",
  "node_cluster",
  "node_region",
  "ns_cluster",
  "ns_domain_group",
  "ns_record",
  "ns_route",
  "order_method",
  "payment_webhook",
  "plan",
  "server",
  "server_daily_stat",
  "ssl_cert",
  "traffic_package",
  "traffic_package_period",
  "traffic_package_price",
  "user",
  "user_access_key",
  "user_account",
  { use: "user_bill", config: { trafficPricePerGB: 0.05 } },
  { use: "user_invoice", config: { seller: "Edge Ltd., 1 Harbour Street, Dublin" } },
  "user_order",
  "user_plan",
  "user_traffic_package",
];

interface Customer {
  readonly userId: number;
  readonly key: { readonly id: string; readonly secret: string };
}

/** An installation that an operator has set up before the first customer comes. */
export class CustomerWorld {
  readonly #server: Server;
  nodeClusterId = 0;

  constructor(server: Server) {
    this.#server = server;
  }

  /** Calls as the operator. */
  // deno-lint-ignore no-explicit-any -- the shape of the data depends on the operation
  async admin(path: string, request: object): Promise<any> {
    const { code, data, message } = await this.#server.post(`/${path}`, request);
    expect([code, message, path]).toEqual([200, "ok", path]);
    return data;
  }

  async setUp(): Promise<void> {
    await this.admin("NSClusterService/createNSCluster", {
      ...{ name: "Europe", hosts: ["ns1.edge.example", "ns2.edge.example"], email: "dns@edge.example" },
    });
    ({ nodeClusterId: this.nodeClusterId } = await this.admin("NodeClusterService/createNodeCluster", {
      name: "Frankfurt",
    }));
    const { nodeRegionId } = await this.admin("NodeRegionService/createNodeRegion", { name: "Europe" });
    await this.admin("PlanService/createPlan", {
      ...{ name: "Starter", priceType: "period", monthlyPrice: 9, seasonallyPrice: 25, yearlyPrice: 90 },
      ...{ totalServers: 3, totalServerNames: 10, description: "For a website of your own." },
      trafficLimitJSON: { isOn: true, monthlySize: { count: 100, unit: "gb" } },
      featuresJSON: ["server.accessLog", "server.http3", "server.compression"],
    });
    await this.admin("PlanService/createPlan", {
      ...{ name: "Business", priceType: "period", monthlyPrice: 49, yearlyPrice: 490 },
      ...{ totalServers: 30, hasFullFeatures: true, description: "For shops and teams." },
      trafficLimitJSON: { isOn: true, monthlySize: { count: 2, unit: "tb" } },
    });
    await this.admin("PlanService/createPlan", {
      ...{ name: "Pay as you go", priceType: "traffic", hasFullFeatures: true },
      trafficPriceJSON: { base: 0.04 },
    });
    await this.admin("OrderMethodService/createOrderMethod", {
      ...{ name: "Card", code: "card", parentCode: "webhook", url: "https://pay.example/checkout" },
      description: "Visa, Mastercard",
    });
    await this.admin("OrderMethodService/createOrderMethod", {
      ...{ name: "Bank transfer", code: "bank", description: "Name the order's code in the transfer." },
    });
    const period = await this.admin("TrafficPackagePeriodService/createTrafficPackagePeriod", {
      ...{ count: 1, unit: "month" },
    });
    const year = await this.admin("TrafficPackagePeriodService/createTrafficPackagePeriod", {
      ...{ count: 1, unit: "year" },
    });
    for (const [size, price] of [[100, 3], [500, 12]] as const) {
      const made = await this.admin("TrafficPackageService/createTrafficPackage", { size, unit: "gb" });
      for (const [length, times] of [[period, 1], [year, 10]] as const) {
        const key = { ...made, nodeRegionId, ...length };
        await this.admin("TrafficPackagePriceService/updateTrafficPackagePrice", { ...key, price: price * times });
      }
    }
  }

  /** Makes a customer with an access key. */
  async customer(username: string, fullname: string): Promise<Customer> {
    const { userId } = await this.admin("UserService/createUser", {
      ...{ username, fullname, password: "walks in the rain", email: `${username}@${username}.example` },
      nodeClusterId: this.nodeClusterId,
    });
    const { uniqueId, secret } = await this.admin("UserAccessKeyService/createUserAccessKey", {
      ...{ userId, description: "Console" },
    });
    return { userId, key: { id: uniqueId, secret } };
  }

  /** Puts money on the account of a customer. */
  async pay(userId: number, delta: number): Promise<void> {
    const event = { eventType: "charge", description: "Bank transfer" };
    await this.admin("UserAccountService/updateUserAccount", { userAccountId: userId, delta, ...event });
  }

  /** Writes a bill of a customer for yesterday, whose site had traffic. */
  async bill(userId: number): Promise<void> {
    const { serverId } = await this.admin("ServerService/createServer", {
      ...{ userId, type: "httpProxy", name: "shop", nodeClusterId: this.nodeClusterId },
    });
    const yesterday = new Date(Date.now() - 86_400_000);
    const stat = { serverId, bytes: 100 * 2 ** 30, createdAt: Math.floor(yesterday.getTime() / 1000) };
    await this.admin("ServerDailyStatService/uploadServerDailyStats", { stats: [stat] });
    await this.admin("UserService/updateUserPriceType", { userId, priceType: "traffic" });
    await this.admin("UserService/updateUserPricePeriod", { userId, pricePeriod: "daily" });
    await this.admin("UserBillService/generateAllUserBills", { day: yesterday.toISOString().slice(0, 10) });
  }
}
