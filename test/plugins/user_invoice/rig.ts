import { as, type TestCaller, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import users from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import accounts from "../../../plugins/user_account/plugin.ts";
import { UserAccountService } from "../../../plugins/user_account/proto/service_user_account_pb.ts";
import plugin from "../../../plugins/user_invoice/plugin.ts";
import { UserInvoiceService } from "../../../plugins/user_invoice/proto/service_user_invoice_pb.ts";

const { createUserInvoice, findUserInvoice, updateUserInvoiceAddress } = UserInvoiceService.method;

export const admin: TestCaller = as.admin();
export let edgehelm: TestKernel;
export let clock: TestClock;
const REVERSE_CHARGE = "The tax is owed by the recipient.";
const config = {
  seller: "Edge Ltd, 1 Quay, Cork",
  currency: "EUR",
  taxes: [
    { country: "DE", rate: 0.19, label: "MwSt", reverseChargeText: REVERSE_CHARGE },
    { country: "HU", rate: 0.27, label: "AFA" },
    { country: "CH", rate: 0.081, label: "MWST" },
  ],
};

/** Opens a kernel with invoices before the tests of a file, and closes it after them. The date is 20 December 2026. */
export function useKernel(directory?: string): void {
  beforeAll(async () => {
    clock = new TestClock(Date.UTC(2026, 11, 20, 12));
    edgehelm = await testKernel({
      plugins: [plugin, users, accounts],
      config: { user_invoice: config },
      clock,
      ...(directory !== undefined && { directory }),
    });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

let userCount = 0;

/** Creates a user with an address for invoices. */
export async function createUser(country = "DE", taxNumber = ""): Promise<TestCaller> {
  const username = `reader${++userCount}`;
  const request = { username, password: "walks in the rain", fullname: username };
  const user = as.user((await edgehelm.call(admin, UserService.method.createUser, request)).userId);
  await edgehelm.call(user, updateUserInvoiceAddress, { name: username, address: "1 Road", country, taxNumber });
  return user;
}

/** Charges the account of a user and books an expense. */
export async function spend({ id: userAccountId }: TestCaller, amount: number, description: string): Promise<void> {
  const { updateUserAccount } = UserAccountService.method;
  const charge = { userAccountId, delta: amount, eventType: "charge", description: "" };
  await edgehelm.call(admin, updateUserAccount, charge);
  await edgehelm.call(admin, updateUserAccount, { userAccountId, delta: -amount, eventType: "buyPlan", description });
}

export async function invoice({ id: userId }: TestCaller, more: object = {}) {
  const days = { dayFrom: "2026-12-01", dayTo: "2026-12-31" };
  return await edgehelm.call(admin, createUserInvoice, { userId, ...days, ...more });
}

export async function find(userInvoiceId: bigint, caller: TestCaller = admin) {
  return (await edgehelm.call(caller, findUserInvoice, { userInvoiceId })).userInvoice;
}
