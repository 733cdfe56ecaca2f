import { as, type Stub, stub, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, beforeEach } from "vitest";
import plans from "../../../plugins/plan/plugin.ts";
import { PlanService } from "../../../plugins/plan/proto/service_plan_pb.ts";
import { type PlannedServer, Servers } from "../../../plugins/server/contract.ts";
import users from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import accounts from "../../../plugins/user_account/plugin.ts";
import { UserAccountService } from "../../../plugins/user_account/proto/service_user_account_pb.ts";
import plugin from "../../../plugins/user_plan/plugin.ts";
import { UserPlanService } from "../../../plugins/user_plan/proto/service_user_plan_pb.ts";

const { buyUserPlan, findEnabledUserPlan } = UserPlanService.method;
const JANUARY_31 = Date.UTC(2026, 0, 31, 12);
export const admin = as.admin();
export const month = { period: "monthly", countPeriod: 1 };

/** A stub of servers that binds sites to plans and records the sites that were marked for update. */
export class Sites {
  readonly #byUserPlan = new Map<bigint, PlannedServer[]>();
  readonly changed: bigint[] = [];
  readonly stub: Stub = stub(Servers, {
    ofUserPlan: async (_call, userPlanId) => this.#byUserPlan.get(userPlanId) ?? [],
    planned: async (_call, serverId) => [...this.#byUserPlan.values()].flat().find(({ id }) => id === serverId),
    configChanged: async (_call, ids) => void this.changed.push(...ids),
  });

  bind(userPlanId: bigint, id: bigint, name: string, countServerNames = 0n): void {
    const site = { id, name, userId: 0n, nodeClusterId: 1n, userPlanId, countServerNames };
    this.#byUserPlan.set(userPlanId, [...this.#byUserPlan.get(userPlanId) ?? [], site]);
  }
}

/** Starts a kernel with users, accounts and plans; only servers are stubbed. */
export function shopKernel(clock: TestClock, sites: Sites): Promise<TestKernel> {
  return testKernel({ plugins: [plugin, plans, accounts, users], stubs: [sites.stub], clock });
}

let userCount = 0;

/** Creates a user with a balance. */
export async function userWith(
  edgehelm: TestKernel,
  balance: number,
  username = `buyer${++userCount}`,
): Promise<bigint> {
  const request = { username, password: "walks in the rain", fullname: username };
  const { userId } = await edgehelm.call(admin, UserService.method.createUser, request);
  if (balance > 0) {
    const charge = { userAccountId: userId, delta: balance, eventType: "charge", description: "" };
    await edgehelm.call(admin, UserAccountService.method.updateUserAccount, charge);
  }
  return userId;
}

export async function balanceOf(edgehelm: TestKernel, userId: bigint): Promise<number | undefined> {
  const { findEnabledUserAccountWithUserId } = UserAccountService.method;
  return (await edgehelm.call(admin, findEnabledUserAccountWithUserId, { userId })).userAccount?.total;
}

export async function createTestPlan(edgehelm: TestKernel, fields = {}): Promise<bigint> {
  const request = { name: "small", priceType: "period", monthlyPrice: 10, yearlyPrice: 99.5, ...fields };
  return (await edgehelm.call(admin, PlanService.method.createPlan, request)).planId;
}

export const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

export let clock: TestClock;
export let sites: Sites;
export let edgehelm: TestKernel;

/** Opens the kernel before the tests of a file, resets the clock before each, and closes the kernel after them. */
export function useKernel(): void {
  beforeAll(async () => {
    edgehelm = await shopKernel(clock = new TestClock(JANUARY_31), sites = new Sites());
  });
  beforeEach(() => clock.advance((JANUARY_31 - clock.now()) / 1000));
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

export async function buy(userId: bigint, planId: bigint, request = {}): Promise<bigint> {
  return (await edgehelm.call(admin, buyUserPlan, { userId, planId, ...month, ...request })).userPlanId;
}

export async function lastDay(userPlanId: bigint): Promise<string | undefined> {
  return (await edgehelm.call(admin, findEnabledUserPlan, { userPlanId })).userPlan?.dayTo;
}
