import { testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import admin from "../../../plugins/admin/plugin.ts";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import plugin from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { edgehelm, newUser, PASSWORD, root, useKernel } from "./rig.ts";

const { createUser, findEnabledUser } = UserService.method;

useKernel();

describe("createUser", () => {
  test("creates a user who is turned on and verified", async () => {
    const { userId, username } = await newUser({ remark: "pays late" });
    const { user } = await edgehelm.call(root, findEnabledUser, { userId });
    expect(user).toMatchObject({ id: userId, username, isOn: true, isVerified: true, remark: "pays late" });
  });

  test("refuses a username that is taken, case-insensitively", async () => {
    const { username } = await newUser();
    await expect(newUser({ username: username.toUpperCase() })).rejects.toMatchObject({
      reason: "user.username_taken",
    });
  });

  test.each([
    ["a username with a space", { username: "a b" }, "username:"],
    ["a short password", { username: "shorty", password: "short" }, "password:"],
  ])("refuses %s", async (_case, fields, message) => {
    await expect(newUser(fields)).rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});

test("the admin dashboard counts users", async () => {
  await using both = await testKernel({ plugins: [plugin, admin] });
  await both.call(root, createUser, { username: "only", password: PASSWORD });
  expect((await both.call(root, AdminService.method.composeAdminDashboard, {})).countUsers).toBe(1n);
});
