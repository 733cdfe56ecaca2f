import { definePlugin } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AdminDashboard } from "../../../plugins/admin/contract.ts";
import plugin from "../../../plugins/admin/plugin.ts";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";

const { createAdmin, createOrUpdateAdmin, deleteAdmin, findEnabledAdmin, listEnabledAdmins, loginAdmin, updateAdmin } =
  AdminService.method;
const root = as.admin();
const PASSWORD = "correct horse battery";

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

let created = 0;
async function newAdmin(fields: Partial<Parameters<typeof create>[0]> = {}) {
  return await create({
    username: `admin${++created}`,
    password: PASSWORD,
    fullname: "An Admin",
    canLogin: true,
    ...fields,
  });
}
async function create(fields: {
  username: string;
  password: string;
  fullname: string;
  canLogin?: boolean;
  isSuper?: boolean;
  modulesJSON?: Uint8Array;
}) {
  const { adminId } = await edgehelm.call(root, createAdmin, fields);
  return { adminId, ...fields };
}

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

test("composeAdminDashboard merges the figures that plugins contribute", async () => {
  const manifest = { version: "1.0.0", kernel: "^1", services: [], tables: [] };
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
