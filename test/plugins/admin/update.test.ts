import { testKernel } from "edgehelm/testing";
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

test("the last super admin who is turned on can be neither deleted, demoted nor turned off", async () => {
  await using alone = await testKernel({ plugins: [plugin] });
  const only = { username: "only", password: PASSWORD, isSuper: true };
  const { adminId } = await alone.call(root, createAdmin, only);
  const lastSuper = { code: 409, reason: "admin.last_super" };
  await expect(alone.call(root, deleteAdmin, { adminId })).rejects.toMatchObject(lastSuper);
  const off = { adminId, username: "only", isSuper: true, isOn: false };
  await expect(alone.call(root, updateAdmin, off)).rejects.toMatchObject(lastSuper);
  const demoted = { adminId, username: "only", isSuper: false, isOn: true };
  await expect(alone.call(root, updateAdmin, demoted)).rejects.toMatchObject(lastSuper);
  await alone.call(root, createAdmin, { ...only, username: "second" });
  await alone.call(root, deleteAdmin, { adminId });
  expect((await alone.call(root, findEnabledAdmin, { adminId })).admin).toBeUndefined();
});

test("createOrUpdateAdmin creates an admin, then sets the password", async () => {
  const { adminId } = await edgehelm.call(root, createOrUpdateAdmin, { username: "console", password: PASSWORD });
  const again = await edgehelm.call(root, createOrUpdateAdmin, { username: "console", password: "another password" });
  expect(again.adminId).toBe(adminId);
  const login = { username: "console", password: "another password" };
  expect((await edgehelm.call(root, loginAdmin, login)).isOk).toBe(true);
});
