import { definePlugin } from "edgehelm";
import { type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import {
  type UserRemoval,
  UserRemovals,
  type UserSuspension,
  UserSuspensions,
} from "../../../plugins/user/contract.ts";
import accounts from "../../../plugins/user_account/plugin.ts";
import plugin from "../../../plugins/user_bill/plugin.ts";
import { GB, generate, june15, Network } from "./rig.ts";

export let removals: readonly UserRemoval[];
export let suspensions: readonly UserSuspension[];
export const consumer = definePlugin({
  manifest: { name: "consumer", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  setup({ contributions }) {
    removals = contributions(UserRemovals);
    suspensions = contributions(UserSuspensions);
  },
});

export const clock = june15();
export const network = new Network();
export let edgehelm: TestKernel;
/** Users with 10 GB at price 1 in April and in May each; users 50 and 51 have daily billing. */
const USERS = [7n, 8n, 9n, 10n, 11n, 12n];

/** Opens a kernel with bills before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    edgehelm = await testKernel({
      plugins: [plugin, accounts, consumer],
      stubs: network.stubs,
      config: { user_bill: { trafficPricePerGB: 1, overdueDays: 10 } },
      clock,
    });
    for (const userId of USERS) for (const day of ["20260410", "20260510"]) network.send(userId, day, 10n * GB);
    for (const userId of [50n, 51n]) {
      network.terms.set(userId, { priceType: "", pricePeriod: "daily" });
      network.send(userId, "20260601", GB);
      network.send(userId, "20260612", GB);
    }
    for (const month of ["202604", "2026-05"]) await generate(edgehelm, { month });
    for (const day of ["20260601", "20260612"]) await generate(edgehelm, { day });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}
