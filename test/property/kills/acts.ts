import { Random } from "../../harness/random.ts";
import type { Market } from "./market.ts";
import type { PaymentService } from "./notices.ts";
import { JOBS } from "./settings.ts";
import type { ServerProcess } from "./server_process.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const MAX_LATE_DAYS = 20;
const GB = 2 ** 30;

/** The random acts of the users, the admin, the payment service and time. */
export class Acts {
  readonly #random: Random;
  readonly #market: Market;
  readonly #payments: PaymentService;
  /** The number of the next thing, which makes what it is about unique. */
  #next = 1;
  /** Descriptions of account entries whose calls returned. */
  readonly booked = new Set<string>();
  /** Plans of users whose purchase returned. */
  readonly bought = new Set<number>();
  /** Orders whose creation returned. */
  readonly #orders: { readonly code: string; readonly amount: string }[] = [];

  constructor(random: Random, market: Market, payments: PaymentService) {
    this.#random = random;
    this.#market = market;
    this.#payments = payments;
  }

  /** Does one thing. Throws if it is refused, which many are. */
  async doOne(server: ServerProcess): Promise<void> {
    const weighted: readonly (readonly [number, (server: ServerProcess) => Promise<unknown>])[] = [
      [5, (to) => this.#upload(to)],
      [4, (to) => this.#charge(to)],
      [4, (to) => this.#buyPlan(to)],
      [3, (to) => this.#renewPlan(to)],
      [4, (to) => this.#buyPackages(to)],
      [4, (to) => this.#order(to)],
      [4, (to) => this.#pay(to)],
      [2, (to) => this.#takeBack(to)],
      [3, (to) => this.#payBill(to)],
      [3, (to) => this.#generate(to)],
      [5, (to) => to.send({ kind: "job", name: this.#random.oneOf(JOBS) })],
      [3, (to) => this.#invoice(to)],
      [2, (to) => this.#turn(to)],
      [3, (to) => to.send({ kind: "advance", seconds: this.#random.below(2 * DAY) })],
    ];
    let left = this.#random.below(weighted.reduce((sum, [weight]) => sum + weight, 0));
    const [, act] = weighted.find(([weight]) => (left -= weight) < 0)!;
    await act(server);
  }

  #user(): number {
    return this.#random.oneOf(this.#market.users);
  }

  async #upload(server: ServerProcess): Promise<void> {
    const stats = this.#random.list(10, () => ({
      serverId: this.#random.oneOf(this.#market.sites.flat()),
      nodeRegionId: this.#random.oneOf(this.#market.regions),
      bytes: this.#random.below(4 * GB),
      createdAt: Math.floor(server.now / 1000) - this.#random.below(MAX_LATE_DAYS * DAY),
    }));
    if (stats.length > 0) await server.admin("ServerDailyStatService/uploadServerDailyStats", { stats });
  }

  async #charge(server: ServerProcess): Promise<void> {
    const description = `charge ${this.#next++}`;
    const entry = { delta: 1 + this.#random.below(20), eventType: "charge", description };
    await server.admin("UserAccountService/updateUserAccount", { userAccountId: this.#user(), ...entry });
    this.booked.add(description);
  }

  /** Buys a plan of its own, so that each entry of the account tells what it is for. */
  async #buyPlan(server: ServerProcess): Promise<void> {
    const offer = { name: `plan ${this.#next++}.`, priceType: "period", monthlyPrice: 1 + this.#random.below(3) };
    const { planId } = await server.admin("PlanService/createPlan", offer);
    const index = this.#random.below(this.#market.users.length);
    const userId = this.#market.users[index]!;
    const request = { planId, period: "monthly", countPeriod: 1 };
    const { userPlanId } = await server.call("user", userId, "UserPlanService/buyUserPlan", request);
    this.bought.add(userPlanId);
    const binding = { serverId: this.#random.oneOf(this.#market.sites[index]!), userPlanId };
    await server.admin("ServerService/updateServerUserPlan", binding);
  }

  async #renewPlan(server: ServerProcess): Promise<void> {
    if (this.bought.size === 0) return;
    const request = { userPlanId: this.#random.oneOf([...this.bought]), period: "monthly", countPeriod: 1 };
    await server.admin("UserPlanService/renewUserPlan", request);
  }

  async #buyPackages(server: ServerProcess): Promise<void> {
    const request = { ...this.#market.packageParts, nodeRegionId: this.#market.regions[0] };
    const path = "UserTrafficPackageService/buyUserTrafficPackage";
    await server.call("user", this.#user(), path, { ...request, count: 1 + this.#random.below(3) });
  }

  async #order(server: ServerProcess): Promise<void> {
    const isPackage = this.#random.below(2) === 0;
    const amount = isPackage ? 5 : 1 + this.#random.below(30);
    const params = { ...this.#market.packageParts, nodeRegionId: this.#market.regions[1], count: 1 };
    const request = {
      ...{ type: isPackage ? "buyTrafficPackage" : "charge", orderMethodCode: "card", amount },
      ...isPackage && { paramsJSON: params },
    };
    const { code } = await server.call("user", this.#user(), "UserOrderService/createUserOrder", request);
    this.#orders.push({ code, amount: `${amount}.00` });
  }

  async #pay(server: ServerProcess): Promise<void> {
    const order = this.#orders.at(-1 - this.#random.below(5));
    if (order !== undefined) await this.#payments.tell(server, "succeeded", order.code, order.amount);
  }

  /** Takes an amount of an order back: by an admin, with what the provider then tells, or by the bank. */
  async #takeBack(server: ServerProcess): Promise<void> {
    if (this.#orders.length === 0) return;
    const { code: orderCode } = this.#random.oneOf(this.#orders);
    if (this.#random.below(2) === 0) return await this.#payments.tell(server, "chargeback", orderCode, "1.00");
    const request = { orderCode, amount: 1, reason: "kindness" };
    const { code } = await server.admin("UserOrderRefundService/createUserOrderRefund", request);
    const type = this.#random.oneOf(["refunded", "refund_failed"]);
    await this.#payments.tell(server, type, orderCode, "1.00", code);
  }

  async #payBill(server: ServerProcess): Promise<void> {
    const filter = { paidFlag: 0, size: 20 };
    const { userBills = [] } = await server.admin("UserBillService/listUserBills", filter);
    if (userBills.length === 0) return;
    const { id: userBillId, user } = this.#random.oneOf(userBills) as { id: number; user: { id: number } };
    await server.call("user", user.id, "UserBillService/payUserBill", { userBillId });
  }

  async #generate(server: ServerProcess): Promise<void> {
    const day = new Date(server.now - (1 + this.#random.below(40)) * DAY * 1000).toISOString().slice(0, 10);
    const period = this.#random.below(3) === 0 ? { day } : { month: day.slice(0, 7) };
    await server.admin("UserBillService/generateAllUserBills", period);
  }

  async #invoice(server: ServerProcess): Promise<void> {
    const [dayFrom, dayTo] = [60, 0].map((days) => new Date(server.now - days * DAY * 1000).toISOString().slice(0, 10));
    const request = { userId: this.#user(), dayFrom, dayTo };
    const { userInvoiceId } = await server.admin("UserInvoiceService/createUserInvoice", request);
    if (this.#random.below(3) > 0) return;
    await server.admin("UserInvoiceService/createUserCreditNote", { userInvoiceId, amount: 0.5, reason: "kindness" });
  }

  /** Turns a user off or on. */
  async #turn(server: ServerProcess): Promise<void> {
    const userId = this.#user();
    const { user } = await server.admin("UserService/findEnabledUser", { userId });
    await server.admin("UserService/updateUser", { ...user, userId, isOn: this.#random.below(4) > 0 });
  }
}
