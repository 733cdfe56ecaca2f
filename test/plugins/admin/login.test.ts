import { describe, expect, test } from "vitest";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import { edgehelm, newAdmin, PASSWORD, root, useKernel } from "./rig.ts";

const { deleteAdmin, loginAdmin, updateAdmin } = AdminService.method;

useKernel();

describe("loginAdmin", () => {
  test("succeeds only with the right password, and does not reveal why it failed", async () => {
    const { adminId, username } = await newAdmin();
    expect(await edgehelm.call(root, loginAdmin, { username, password: PASSWORD })).toMatchObject({
      adminId,
      isOk: true,
    });
    const wrong = await edgehelm.call(root, loginAdmin, { username, password: "something else" });
    const unknown = await edgehelm.call(root, loginAdmin, { username: "unknown", password: PASSWORD });
    expect(wrong).toMatchObject({ adminId: 0n, isOk: false });
    expect(unknown.message).toBe(wrong.message);
  });

  test("fails for a deleted admin with the same message", async () => {
    const { adminId, username } = await newAdmin();
    const wrong = await edgehelm.call(root, loginAdmin, { username, password: "something else" });
    await edgehelm.call(root, deleteAdmin, { adminId });
    expect(await edgehelm.call(root, loginAdmin, { username, password: PASSWORD })).toEqual(wrong);
  });

  test("fails for an admin who is turned off or may not log in", async () => {
    const { adminId, username } = await newAdmin({ canLogin: false });
    expect((await edgehelm.call(root, loginAdmin, { username, password: PASSWORD })).isOk).toBe(false);
    await edgehelm.call(root, updateAdmin, { adminId, username, fullname: "x", isOn: false, canLogin: true });
    expect((await edgehelm.call(root, loginAdmin, { username, password: PASSWORD })).isOk).toBe(false);
  });
});
