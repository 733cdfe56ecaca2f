import { definePlugin } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Users } from "../../../plugins/user/contract.ts";
import plugin from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";

const { createUser, deleteUser, updateUserPricePeriod, updateUserPriceType } = UserService.method;
const admin = as.admin();

let users: Users;
const consumer = definePlugin({
  manifest: { name: "consumer", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { users: Users },
  setup: ({ deps }) => void (users = deps.users),
});

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, consumer] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

const call = () => edgehelm.kernel.systemCall("test");

async function createTestUser(username: string, fields = {}): Promise<bigint> {
  const request = { username, password: "walks in the rain", fullname: "", ...fields };
  return (await edgehelm.call(admin, createUser, request)).userId;
}

describe("idsMatching", () => {
  test("matches names and contact details, newest first, and escapes wildcards", async () => {
    const byName = await createTestUser("tintin", { fullname: "Reporter 100%" });
    const byEmail = await createTestUser("haddock", { email: "captain@TINTIN.example" });
    expect(await users.idsMatching(call(), "tintin", 10)).toEqual([byEmail, byName]);
    expect(await users.idsMatching(call(), "tintin", 1)).toEqual([byEmail]);
    expect(await users.idsMatching(call(), "0%", 10)).toEqual([byName]);
    expect(await users.idsMatching(call(), "0_", 10)).toEqual([]);
  });
});

describe("priceTerms", () => {
  test("returns the settings of existing users, empty by default", async () => {
    const [plain, special, deleted] = [
      await createTestUser("plain"),
      await createTestUser("special"),
      await createTestUser("gone"),
    ];
    await edgehelm.call(admin, updateUserPriceType, { userId: special!, priceType: "bandwidth" });
    await edgehelm.call(admin, updateUserPricePeriod, { userId: special!, pricePeriod: "daily" });
    await edgehelm.call(admin, deleteUser, { userId: deleted! });
    const terms = await users.priceTerms(call(), [plain!, special!, deleted!, 9999n]);
    expect([...terms].sort()).toEqual([
      [plain, { priceType: "", pricePeriod: "" }],
      [special, { priceType: "bandwidth", pricePeriod: "daily" }],
    ]);
  });
});
