import { describe, expect, test } from "vitest";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import { edgehelm, newAdmin, root, useKernel } from "./rig.ts";

const { deleteAdmin, findEnabledAdmin, listEnabledAdmins, loginAdmin, updateAdmin } = AdminService.method;

useKernel();

describe("createAdmin", () => {
  test("creates an admin who is turned on, and never returns the password", async () => {
    const { adminId, username } = await newAdmin();
    const { admin } = await edgehelm.call(root, findEnabledAdmin, { adminId });
    expect(admin).toMatchObject({ username, fullname: "An Admin", isOn: true, isSuper: false, hasWeakPassword: false });
    const { data } = await edgehelm.post("/AdminService/findEnabledAdmin", { adminId: Number(adminId) }, root);
    expect(JSON.stringify(data)).not.toContain("argon2");
  });

  test("refuses a username that is taken, ignoring case", async () => {
    const { username } = await newAdmin();
    await expect(newAdmin({ username: username.toUpperCase() }))
      .rejects.toMatchObject({ code: 409, reason: "admin.username_taken" });
  });

  test.each([
    [{ username: "a b" }, "username:"],
    [{ password: "short" }, "password: must have at least 8 characters"],
    [{ modulesJSON: new TextEncoder().encode("{}") }, "modulesJSON: must be a JSON array"],
    [{ modulesJSON: new TextEncoder().encode('[{"allowAll":3}]') }, "modulesJSON[0].allowAll:"],
  ])("refuses %j", async (fields, message) => {
    await expect(newAdmin(fields)).rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });

  test("requires no password for an admin who may not log in, and no password logs them in", async () => {
    const { adminId, username } = await newAdmin({ password: "", canLogin: false });
    const update = { adminId, username, fullname: "x", isOn: true, canLogin: true };
    await edgehelm.call(root, updateAdmin, update);
    expect((await edgehelm.call(root, loginAdmin, { username, password: "" })).isOk).toBe(false);
    await expect(newAdmin({ password: "" })).rejects.toMatchObject({ code: 400 });
  });

  test("accepts the username of a deleted admin", async () => {
    const { adminId, username } = await newAdmin();
    await edgehelm.call(root, deleteAdmin, { adminId });
    expect((await newAdmin({ username })).adminId).not.toBe(adminId);
    expect((await edgehelm.call(root, findEnabledAdmin, { adminId })).admin).toBeUndefined();
  });

  test("detects a weak password", async () => {
    const { adminId } = await newAdmin({ password: "1234567890" });
    expect((await edgehelm.call(root, findEnabledAdmin, { adminId })).admin?.hasWeakPassword).toBe(true);
    const { admins } = await edgehelm.call(root, listEnabledAdmins, { hasWeakPassword: true });
    expect(admins.map(({ id }) => id)).toEqual([adminId]);
  });
});
