import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { as, testKernel } from "edgehelm/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import admin from "../../../plugins/admin/plugin.ts";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import { plugin } from "../../core/kernel/rig.ts";
import { edgehelm, newAdmin, PASSWORD, root, useKernel } from "./rig.ts";

const { createAdmin, createOrUpdateAdmin, deleteAdmin, updateAdmin, updateAdminInfo, updateAdminLogin } =
  AdminService.method;
const { findAllAdminModules, findEnabledAdmin, listEnabledAdmins, updateAdminTheme } = AdminService.method;

useKernel();

const modules = (...codes: string[]) =>
  new TextEncoder().encode(JSON.stringify(codes.map((code) => ({ code, allowAll: true }))));
const superOnly = { code: 403, reason: "kernel.super_required" };

test("an unknown module is refused by name", async () => {
  await expect(newAdmin({ modulesJSON: modules("ns", "billing") })).rejects.toMatchObject({
    code: 400,
    message: expect.stringMatching(/^modulesJSON\[1\]\.code: must be one of common, admin, .*, got "billing"$/),
  });
  const { adminId, username } = await newAdmin({ modulesJSON: modules("ns") });
  const update = { adminId, username, isOn: true, canLogin: true };
  await expect(edgehelm.call(root, updateAdmin, { ...update, modulesJSON: modules("billing") }))
    .rejects.toMatchObject({ code: 400, message: expect.stringContaining('got "billing"') });
});

test("an admin keeps the modules of plugins that are no longer enabled, which allow nothing", async () => {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const vendor = plugin("vendor", { more: { modules: [{ code: "retired", name: "Retired" }] } });
  const person = { username: "kept", isOn: true, canLogin: true };
  const before = await testKernel({ plugins: [admin, vendor], directory });
  const { adminId } = await before.call(root, createAdmin, {
    ...person,
    password: PASSWORD,
    modulesJSON: modules("retired", "admin"),
  });
  await before.stop();

  const after = await testKernel({ plugins: [admin], directory });
  onTestFinished(() => after.stop());
  const own = await after.call(as.admin(adminId), findEnabledAdmin, { adminId });
  expect(own.admin?.Modules).toMatchObject([{ code: "retired" }, { code: "admin" }]);
  await after.call(root, updateAdmin, { adminId, ...person, modulesJSON: modules("admin", "retired") });
  expect((await after.call(as.admin(adminId), listEnabledAdmins, {})).admins).toHaveLength(2);
  await expect(after.call(root, createAdmin, { ...person, password: PASSWORD, modulesJSON: modules("retired") }))
    .rejects.toMatchObject({ code: 400, message: expect.stringContaining('got "retired"') });
});

test("lists the modules that an admin can be given, with their names", async () => {
  expect((await edgehelm.call(root, findAllAdminModules, {})).installedJSON).toBeUndefined();
  const { installedJSON } = await edgehelm.call(root, findAllAdminModules, { withInstalled: true });
  expect(JSON.parse(new TextDecoder().decode(installedJSON))).toEqual(expect.arrayContaining([
    { code: "common", name: "common" },
    { code: "ns", name: "DNS" },
  ]));
});

describe("an admin who is not super", () => {
  test("cannot create, change or delete admins, not even with the module admin", async () => {
    const { adminId } = await newAdmin({ modulesJSON: modules("admin") });
    const caller = as.admin(adminId);
    const person = { username: "intruder", password: PASSWORD, isSuper: true, canLogin: true };
    await expect(edgehelm.call(caller, createAdmin, person)).rejects.toMatchObject(superOnly);
    await expect(edgehelm.call(caller, createOrUpdateAdmin, person)).rejects.toMatchObject(superOnly);
    await expect(edgehelm.call(caller, updateAdmin, { adminId, ...person, isOn: true })).rejects.toMatchObject(
      superOnly,
    );
    await expect(edgehelm.call(caller, deleteAdmin, { adminId: 1n })).rejects.toMatchObject(superOnly);
  });

  test("changes their own profile, and no other", async () => {
    const { adminId, username } = await newAdmin();
    const other = await newAdmin({ modulesJSON: modules("admin") });
    const caller = as.admin(adminId);
    await edgehelm.call(caller, updateAdminInfo, { adminId, fullname: "Self" });
    await edgehelm.call(caller, updateAdminTheme, { adminId, theme: "dark" });
    await edgehelm.call(caller, updateAdminLogin, { adminId, username, password: "a password of mine" });
    expect((await edgehelm.call(caller, findEnabledAdmin, { adminId })).admin?.fullname).toBe("Self");
    for (const target of [1n, other.adminId]) {
      const login = { adminId: target, username: "taken over", password: "a password of mine" };
      await expect(edgehelm.call(caller, updateAdminLogin, login)).rejects.toMatchObject({
        ...superOnly,
        message: `permission denied: only a super admin may change the login of admin ${target}`,
      });
      const info = { adminId: target, fullname: "Else" };
      await expect(edgehelm.call(caller, updateAdminInfo, info)).rejects.toMatchObject(superOnly);
      const theme = { adminId: target, theme: "dark" };
      await expect(edgehelm.call(caller, updateAdminTheme, theme)).rejects.toMatchObject(superOnly);
      await expect(edgehelm.call(caller, findEnabledAdmin, { adminId: target })).rejects.toMatchObject({
        code: 403,
        reason: "kernel.module_required",
      });
    }
    expect((await edgehelm.call(as.admin(other.adminId), findEnabledAdmin, { adminId })).admin?.id).toBe(adminId);
  });
});

test.each([{}, { allowAll: false, actions: [] }, { allowAll: false, actions: ["read"] }])(
  "an entry with %j allows the whole module, and is returned as it was stored",
  async (rest) => {
    const modulesJSON = new TextEncoder().encode(JSON.stringify([{ code: "admin", ...rest }]));
    const { adminId } = await newAdmin({ modulesJSON });
    const { admin } = await edgehelm.call(as.admin(adminId), findEnabledAdmin, { adminId });
    expect(admin?.Modules).toMatchObject([{ code: "admin", allowAll: false, actions: rest.actions ?? [] }]);
    await edgehelm.call(as.admin(adminId), listEnabledAdmins, {});
  },
);

test("a change of isSuper, modules, canLogin and isOn takes effect on existing tokens", async () => {
  const { adminId, username } = await newAdmin({ modulesJSON: modules("admin") });
  const caller = as.admin(adminId);
  const list = () => edgehelm.call(caller, listEnabledAdmins, {}).then(() => 200, ({ code }) => code);
  const update = { adminId, username, isOn: true, canLogin: true, modulesJSON: modules() };
  expect(await list()).toBe(200);
  await edgehelm.call(root, updateAdmin, update);
  expect(await list()).toBe(403);
  await edgehelm.call(root, updateAdmin, { ...update, isSuper: true });
  expect(await list()).toBe(200);
  await edgehelm.call(root, updateAdmin, { ...update, isSuper: true, canLogin: false });
  expect(await list()).toBe(401);
  await edgehelm.call(root, updateAdmin, { ...update, isSuper: true });
  expect(await list()).toBe(200);
  await edgehelm.call(root, updateAdmin, { ...update, isSuper: true, isOn: false });
  expect(await list()).toBe(401);
});
