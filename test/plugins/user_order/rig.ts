import { as, type TestCaller, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll } from "vitest";
import methods from "../../../plugins/order_method/plugin.ts";
import { OrderMethodService } from "../../../plugins/order_method/proto/service_order_method_pb.ts";
import webhooks from "../../../plugins/payment_webhook/plugin.ts";
import users from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import accounts from "../../../plugins/user_account/plugin.ts";
import { UserAccountLogService } from "../../../plugins/user_account/proto/service_user_account_log_pb.ts";
import { UserAccountService } from "../../../plugins/user_account/proto/service_user_account_pb.ts";
import plugin from "../../../plugins/user_order/plugin.ts";
import { UserOrderService } from "../../../plugins/user_order/proto/service_user_order_pb.ts";

export const admin: TestCaller = as.admin();
export let edgehelm: TestKernel;
export let clock: TestClock;
/** The secret of the method "card", whose provider sends web hooks. */
export let secret: string;

/** Opens a kernel with orders in EUR before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    clock = new TestClock(Date.UTC(2026, 0, 10, 12));
    edgehelm = await testKernel({
      plugins: [plugin, methods, webhooks, users, accounts],
      config: { user_order: { currency: "EUR" }, payment_webhook: { allowedRanges: ["127.0.0.0/8"] } },
      outbound: { allow: ["127.0.0.0/8"] },
      clock,
    });
    secret = await createMethod("card", "webhook");
    await createMethod("bank", "");
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

/** Creates a method of payment. Returns its secret. */
export async function createMethod(code: string, parentCode: string, more: object = {}): Promise<string> {
  const { createOrderMethod, findEnabledOrderMethod } = OrderMethodService.method;
  const request = { name: code, code, parentCode, url: `https://pay.test/${code}`, ...more };
  const { orderMethodId } = await edgehelm.call(admin, createOrderMethod, request);
  return (await edgehelm.call(admin, findEnabledOrderMethod, { orderMethodId })).orderMethod!.secret;
}

let userCount = 0;

export async function createUser(): Promise<TestCaller> {
  const username = `payer${++userCount}`;
  const request = { username, password: "walks in the rain", fullname: username };
  return as.user((await edgehelm.call(admin, UserService.method.createUser, request)).userId);
}

/** Creates an order over an amount. Returns its code. */
export async function order(user: TestCaller, amount: number, orderMethodCode = "card"): Promise<string> {
  const request = { type: "charge", orderMethodCode, amount };
  return (await edgehelm.call(user, UserOrderService.method.createUserOrder, request)).code;
}

export async function find(user: TestCaller, code: string) {
  return (await edgehelm.call(user, UserOrderService.method.findEnabledUserOrder, { code })).userOrder;
}

export async function accountOf({ id: userId }: TestCaller) {
  const { findEnabledUserAccountWithUserId } = UserAccountService.method;
  const { userAccount } = await edgehelm.call(admin, findEnabledUserAccountWithUserId, { userId });
  return { total: userAccount!.total, debt: userAccount!.debt };
}

/** Returns the transactions of an account, oldest first. */
export async function entriesOf({ id: userAccountId }: TestCaller) {
  const { userAccountLogs } = await edgehelm.call(admin, UserAccountLogService.method.listUserAccountLogs, {
    userAccountId,
  });
  return userAccountLogs.reverse().map(({ eventType, delta }) => [eventType, delta]);
}

export async function book({ id: userAccountId }: TestCaller, delta: number, eventType: string): Promise<void> {
  const request = { userAccountId, delta, eventType, description: "" };
  await edgehelm.call(admin, UserAccountService.method.updateUserAccount, request);
}

/** A notice of a payment. */
export interface TestNotice {
  readonly id: string;
  readonly type?: string;
  readonly orderCode: string;
  readonly amount: string;
  readonly currency?: string;
}

export function bodyOf({ type = "payment.succeeded", orderCode, amount, currency = "EUR" }: TestNotice): string {
  const timestamp = new Date(clock.now()).toISOString();
  return JSON.stringify({ type, timestamp, data: { orderCode, amount, currency } });
}

/** Returns the headers with which a peer that knows the secret signs a body. */
export function signedHeaders(id: string, body: string, key: string = secret, seconds = 0): Record<string, string> {
  const at = new Date(clock.now() + seconds * 1000);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(key).sign(id, at, body),
  };
}

/** Sends a body with headers to a method. Returns the status and the JSON of the response. */
export async function post(body: string, headers: Record<string, string>, method = "card") {
  const url = `http://localhost/payments/notices?method=${method}`;
  const response = await edgehelm.fetch(new Request(url, { method: "POST", headers, body }));
  return { status: response.status, ...await response.json() };
}

/** Sends a signed notice. Returns its result. */
export async function notify(notice: TestNotice): Promise<string> {
  const body = bodyOf(notice);
  return (await post(body, signedHeaders(notice.id, body))).result;
}
