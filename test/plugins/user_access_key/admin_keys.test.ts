import { as, stub, type TestCaller, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import { APIAccessTokenService } from "../../../plugins/api_access_token/proto/service_api_access_token_pb.ts";
import log from "../../../plugins/log/plugin.ts";
import { LogService } from "../../../plugins/log/proto/service_log_pb.ts";
import { Users } from "../../../plugins/user/contract.ts";
import { UserAccessKeyService } from "../../../plugins/user_access_key/proto/service_user_access_key_pb.ts";
import { plugins } from "./rig.ts";

const { createAdmin, listEnabledAdmins, updateAdmin } = AdminService.method;
const { cleanLogsPermanently, createLog, deleteLogPermanently, deleteLogsPermanently, listLogs } = LogService.method;
const { countAllEnabledUserAccessKeys, createUserAccessKey, deleteUserAccessKey } = UserAccessKeyService.method;
const { findAllEnabledUserAccessKeys, updateUserAccessKeyIsOn } = UserAccessKeyService.method;
const { getAPIAccessToken } = APIAccessTokenService.method;

const root = as.admin();
const superOnly = { code: 403, reason: "kernel.super_required" };

const users = stub(Users, { isLive: () => Promise.resolve(true), summaries: () => Promise.resolve(new Map()) });

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [...plugins, log], stubs: [users] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

let created = 0;
async function newAdmin(fields: { canLogin?: boolean }, ...modules: string[]): Promise<TestCaller> {
  const { adminId } = await edgehelm.call(root, createAdmin, {
    username: `clerk${++created}`,
    password: "correct horse battery",
    modulesJSON: new TextEncoder().encode(JSON.stringify(modules.map((code) => ({ code, allowAll: true })))),
    canLogin: true,
    ...fields,
  });
  return as.admin(adminId);
}

describe("an admin with the module finance", () => {
  test("cannot read the secret of a super admin's key, nor turn it off, delete it or add one", async () => {
    const finance = await newAdmin({}, "finance");
    const key = await edgehelm.call(root, createUserAccessKey, { adminId: 1n });
    const { userAccessKeyId } = key;
    const calls = [
      () => edgehelm.call(finance, findAllEnabledUserAccessKeys, { adminId: 1n }),
      () => edgehelm.call(finance, countAllEnabledUserAccessKeys, { adminId: 1n }),
      () => edgehelm.call(finance, createUserAccessKey, { adminId: 1n }),
      () => edgehelm.call(finance, updateUserAccessKeyIsOn, { userAccessKeyId, isOn: false }),
      () => edgehelm.call(finance, deleteUserAccessKey, { userAccessKeyId }),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({
        ...superOnly,
        message: "permission denied: only a super admin may manage the access keys of admin 1",
      });
    }
    const credential = { type: "admin", accessKeyId: key.uniqueId, accessKey: key.secret };
    expect((await edgehelm.call(as.anonymous(), getAPIAccessToken, credential)).token).not.toBe("");
  });

  test("cannot make a super admin", async () => {
    const finance = await newAdmin({}, "finance");
    const made = { username: "made", password: "correct horse battery", isSuper: true, canLogin: true };
    await expect(edgehelm.call(finance, createAdmin, made)).rejects.toMatchObject(superOnly);
    const promoted = { adminId: finance.id, username: "promoted", isSuper: true, isOn: true, canLogin: true };
    await expect(edgehelm.call(finance, updateAdmin, promoted)).rejects.toMatchObject(superOnly);
    await expect(edgehelm.call(finance, listEnabledAdmins, {})).rejects.toMatchObject({
      code: 403,
      reason: "kernel.module_required",
    });
  });

  test("cannot clear the log, nor read it", async () => {
    const finance = await newAdmin({}, "finance");
    await edgehelm.call(finance, createLog, { level: "info", description: "seen" });
    for (
      const call of [
        () => edgehelm.call(finance, cleanLogsPermanently, { clearAll: true }),
        () => edgehelm.call(finance, deleteLogPermanently, { logId: 1n }),
        () => edgehelm.call(finance, deleteLogsPermanently, { logIds: [1n] }),
      ]
    ) await expect(call()).rejects.toMatchObject(superOnly);
    await expect(edgehelm.call(finance, listLogs, {})).rejects.toMatchObject({ reason: "kernel.module_required" });
    expect((await edgehelm.call(root, listLogs, { source: "log" })).logs).toHaveLength(1);
  });
});

test("an admin with the module log reads the log, and cannot clear it", async () => {
  const reader = await newAdmin({}, "log");
  await edgehelm.call(reader, createLog, { level: "info", description: "read" });
  expect((await edgehelm.call(reader, listLogs, {})).logs[0]?.description).toBe("read");
  await expect(edgehelm.call(reader, cleanLogsPermanently, { clearAll: true })).rejects.toMatchObject(superOnly);
});

test("an admin manages their own keys without any module", async () => {
  const clerk = await newAdmin({});
  const { userAccessKeyId } = await edgehelm.call(clerk, createUserAccessKey, { adminId: clerk.id });
  const { userAccessKeys } = await edgehelm.call(clerk, findAllEnabledUserAccessKeys, { adminId: clerk.id });
  expect(userAccessKeys.map(({ id }) => id)).toEqual([userAccessKeyId]);
  await edgehelm.call(clerk, updateUserAccessKeyIsOn, { userAccessKeyId, isOn: false });
  await edgehelm.call(clerk, deleteUserAccessKey, { userAccessKeyId });
});

test("the keys of users are for admins with the module user", async () => {
  const missing = { code: 403, reason: "kernel.module_required" };
  const [clerk, finance] = [await newAdmin({}, "user"), await newAdmin({}, "finance")];
  const { userAccessKeyId } = await edgehelm.call(clerk, createUserAccessKey, { userId: 7n });
  await expect(edgehelm.call(finance, createUserAccessKey, { userId: 7n })).rejects.toMatchObject(missing);
  await expect(edgehelm.call(finance, findAllEnabledUserAccessKeys, { userId: 7n })).rejects.toMatchObject(missing);
  await expect(edgehelm.call(finance, deleteUserAccessKey, { userAccessKeyId })).rejects.toMatchObject(missing);
  await edgehelm.call(clerk, deleteUserAccessKey, { userAccessKeyId });
});

test("an admin who may not log in gets no token by key, and loses those from before", async () => {
  const clerk = await newAdmin({ canLogin: true });
  const key = await edgehelm.call(root, createUserAccessKey, { adminId: clerk.id });
  const credential = { type: "admin", accessKeyId: key.uniqueId, accessKey: key.secret };
  const { token } = await edgehelm.call(as.anonymous(), getAPIAccessToken, credential);
  const hello = async () => {
    const headers = { "x-cloud-access-token": token };
    const url = "http://edgehelm.test/HelloWorldService/sayHello";
    return (await (await edgehelm.fetch(new Request(url, { method: "POST", body: "{}", headers }))).json()).code;
  };
  expect(await hello()).toBe(200);
  const update = { adminId: clerk.id, username: "clerk", isOn: true };
  await edgehelm.call(root, updateAdmin, { ...update, canLogin: false });
  expect(await hello()).toBe(401);
  await expect(edgehelm.call(as.anonymous(), getAPIAccessToken, credential)).rejects.toMatchObject({
    code: 401,
    reason: "access_token.refused",
  });
});
