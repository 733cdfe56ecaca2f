import { invalid } from "edgehelm";
import { stub, testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import { Users } from "../../../plugins/user/contract.ts";
import plugin from "../../../plugins/user_account/plugin.ts";
import { UserAccountLogService } from "../../../plugins/user_account/proto/service_user_account_log_pb.ts";
import { UserAccountService } from "../../../plugins/user_account/proto/service_user_account_pb.ts";
import { admin, book, createTestUser, edgehelm, useKernel } from "./rig.ts";

const { countUserAccounts, listUserAccounts } = UserAccountService.method;
const { countUserAccountLogs, listUserAccountLogs } = UserAccountLogService.method;

useKernel();

test("accounts are searched by user name, logs by description", async () => {
  await book(await createTestUser("other"), 1);
  const [first, second] = [await createTestUser("searched_one"), await createTestUser("searched_two")];
  await book(first!, 5, "charge", "wire 100%");
  await book(second!, 7, "award", "wire 1000");
  const { userAccounts } = await edgehelm.call(admin, listUserAccounts, { keyword: "SEARCHED_" });
  expect(userAccounts).toMatchObject([{ id: second, total: 7, user: { username: "searched_two" } }, { id: first }]);
  expect((await edgehelm.call(admin, countUserAccounts, { keyword: "searched_" })).count).toBe(2n);
  expect((await edgehelm.call(admin, countUserAccounts, {})).count).toBeGreaterThan(2n);
  expect((await edgehelm.call(admin, listUserAccounts, { size: 1n, offset: 1n })).userAccounts).toMatchObject([{
    id: first,
  }]);

  const found = await edgehelm.call(admin, listUserAccountLogs, { keyword: "100%" });
  expect(found.userAccountLogs).toMatchObject([{ userAccountId: first }]);
  expect((await edgehelm.call(admin, countUserAccountLogs, { keyword: "wire", eventType: "award" })).count).toBe(1n);
});

test("too many matching users are refused", async () => {
  const manyUsers: Partial<Users> = {
    idsMatching: async (_call, _keyword, limit) => Array.from({ length: limit }, (_, index) => BigInt(index + 1)),
    requireUser: async (_call, field) => {
      throw invalid(field, "does not exist");
    },
  };
  await using kernel = await testKernel({ plugins: [plugin], stubs: [stub(Users, manyUsers)] });
  await expect(kernel.call(admin, listUserAccounts, { keyword: "a" }))
    .rejects.toMatchObject({ code: 400, message: "keyword: more than 1000 users match; use a longer keyword" });
});
