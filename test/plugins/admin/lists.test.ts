import { expect, test } from "vitest";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import { edgehelm, newAdmin, root, useKernel } from "./rig.ts";

const { listEnabledAdmins, updateAdmin } = AdminService.method;

useKernel();

test("listEnabledAdmins takes wildcards in keywords literally", async () => {
  await newAdmin({ fullname: "100% sure" });
  const { admins } = await edgehelm.call(root, listEnabledAdmins, { keyword: "0% s" });
  expect(admins.map(({ fullname }) => fullname)).toEqual(["100% sure"]);
  expect((await edgehelm.call(root, listEnabledAdmins, { keyword: "1_0" })).admins).toEqual([]);
});

test("listEnabledAdmins refuses a keyword that is longer than any name", async () => {
  const keyword = "k".repeat(100_000);
  await expect(edgehelm.call(root, listEnabledAdmins, { keyword })).rejects.toMatchObject({ code: 400 });
});

test("findAllAdminModules leaves out admins who are turned off", async () => {
  const { adminId, username } = await newAdmin();
  const listedIds = async () =>
    (await edgehelm.call(root, AdminService.method.findAllAdminModules, {})).adminModules.map(({ adminId }) => adminId);
  expect(await listedIds()).toContain(adminId);
  await edgehelm.call(root, updateAdmin, { adminId, username, isOn: false });
  expect(await listedIds()).not.toContain(adminId);
});
