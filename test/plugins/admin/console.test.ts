import { definePlugin } from "edgehelm";
import { as, testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { AdminDashboard } from "../../../plugins/admin/contract.ts";
import plugin from "../../../plugins/admin/plugin.ts";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import { edgehelm, newAdmin, root, useKernel } from "./rig.ts";

const { loginAdmin } = AdminService.method;

useKernel();

test("composeAdminDashboard merges the figures that plugins contribute", async () => {
  const manifest = { version: "1.0.0", kernel: "^1", services: [], tables: [], contributes: ["admin.dashboard"] };
  const contributing = (name: string, figures: object) =>
    definePlugin({
      manifest: { ...manifest, name },
      setup: ({ contribute }) => contribute(AdminDashboard, { figures: () => Promise.resolve(figures) }),
    });
  const people = contributing("people", { countUsers: 3n });
  const machines = contributing("machines", { countNodes: 5n, topNodeStats: [{ nodeId: 1n, nodeName: "one" }] });
  await using extended = await testKernel({ plugins: [people, plugin, machines] });
  expect(await extended.call(root, AdminService.method.composeAdminDashboard, {})).toMatchObject({
    countUsers: 3n,
    countNodes: 5n,
    countServers: 0n,
    topNodeStats: [{ nodeId: 1n, nodeName: "one" }],
  });
});

describe("operations for consoles", () => {
  const { checkAdminExists, checkAdminUsername, findAdminFullname, findAdminWithUsername, updateAdminInfo } =
    AdminService.method;
  const { updateAdminTheme, updateAdminLang, findAllAdminModules, checkAdminOTPWithUsername, updateAdminLogin } =
    AdminService.method;
  const { composeAdminDashboard, countAllEnabledAdmins } = AdminService.method;

  test("check, find and update single properties of an admin", async () => {
    const { adminId, username } = await newAdmin();
    expect(await edgehelm.call(root, checkAdminExists, { adminId })).toMatchObject({ isOk: true });
    expect(await edgehelm.call(root, checkAdminExists, { adminId: 999n })).toMatchObject({ isOk: false });
    expect((await edgehelm.call(root, checkAdminUsername, { username })).exists).toBe(true);
    expect((await edgehelm.call(root, checkAdminUsername, { username, adminId })).exists).toBe(false);
    expect((await edgehelm.call(root, findAdminWithUsername, { username })).admin?.id).toBe(adminId);
    await edgehelm.call(root, updateAdminInfo, { adminId, fullname: "Renamed" });
    expect((await edgehelm.call(root, findAdminFullname, { adminId })).fullname).toBe("Renamed");
    await edgehelm.call(root, updateAdminTheme, { adminId, theme: "dark" });
    await edgehelm.call(as.admin(adminId), updateAdminLang, { langCode: "en" });
    const { adminModules } = await edgehelm.call(root, findAllAdminModules, {});
    expect(adminModules.find((entry) => entry.adminId === adminId)).toMatchObject({ theme: "dark", lang: "en" });
    expect((await edgehelm.call(root, checkAdminOTPWithUsername, { username })).requireOTP).toBe(false);
    await edgehelm.call(root, updateAdminLogin, { adminId, username: "renamed", password: "yet another one" });
    expect((await edgehelm.call(root, loginAdmin, { username: "renamed", password: "yet another one" })).isOk).toBe(
      true,
    );
    expect((await edgehelm.call(root, countAllEnabledAdmins, {})).count).toBeGreaterThan(0n);
    expect(await edgehelm.call(root, composeAdminDashboard, {})).toMatchObject({ countUsers: 0n });
  });
});
