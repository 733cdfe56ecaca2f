import { as, testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import plugin from "../../../plugins/admin/plugin.ts";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import { edgehelm, newAdmin, PASSWORD, root, useKernel } from "./rig.ts";

const { createAdmin, createOrUpdateAdmin, deleteAdmin, findEnabledAdmin, loginAdmin, updateAdmin } =
  AdminService.method;

useKernel();

describe("updateAdmin", () => {
  test("keeps the password and the modules if they are empty", async () => {
    const modulesJSON = new TextEncoder().encode('[{"code":"ns","allowAll":true}]');
    const { adminId, username } = await newAdmin({ modulesJSON });
    await edgehelm.call(root, updateAdmin, { adminId, username, fullname: "New Name", isOn: true, canLogin: true });
    const { admin } = await edgehelm.call(root, findEnabledAdmin, { adminId });
    expect(admin).toMatchObject({ fullname: "New Name", Modules: [{ code: "ns", allowAll: true }] });
    expect((await edgehelm.call(root, loginAdmin, { username, password: PASSWORD })).isOk).toBe(true);
  });

  test("refuses an admin that does not exist", async () => {
    await expect(edgehelm.call(root, updateAdmin, { adminId: 999n, username: "some" })).rejects.toMatchObject({
      code: 404,
    });
  });
});

test("the last super admin who may log in can be neither deleted, demoted, turned off nor kept from logging in", async () => {
  await using alone = await testKernel({ plugins: [plugin] });
  const only = { username: "only", password: PASSWORD, isSuper: true, canLogin: true };
  const adminId = 1n;
  await alone.call(root, createAdmin, { ...only, username: "locked", canLogin: false });
  const lastSuper = { code: 409, reason: "admin.last_super" };
  await expect(alone.call(root, deleteAdmin, { adminId })).rejects.toMatchObject(lastSuper);
  const kept = { adminId, username: "only", isSuper: true, isOn: true, canLogin: true };
  await alone.call(root, updateAdmin, kept);
  const off = { ...kept, isOn: false };
  await expect(alone.call(root, updateAdmin, off)).rejects.toMatchObject(lastSuper);
  await expect(alone.call(root, updateAdmin, { ...kept, isSuper: false })).rejects.toMatchObject(lastSuper);
  await expect(alone.call(root, updateAdmin, { ...kept, canLogin: false })).rejects.toMatchObject(lastSuper);
  const second = await alone.call(root, createAdmin, { ...only, username: "second" });
  await alone.call(root, deleteAdmin, { adminId });
  expect((await alone.call(as.admin(second.adminId), findEnabledAdmin, { adminId })).admin).toBeUndefined();
});

test("createOrUpdateAdmin creates an admin, then sets the password", async () => {
  const { adminId } = await edgehelm.call(root, createOrUpdateAdmin, { username: "console", password: PASSWORD });
  const again = await edgehelm.call(root, createOrUpdateAdmin, { username: "console", password: "another password" });
  expect(again.adminId).toBe(adminId);
  const login = { username: "console", password: "another password" };
  expect((await edgehelm.call(root, loginAdmin, login)).isOk).toBe(true);
});
