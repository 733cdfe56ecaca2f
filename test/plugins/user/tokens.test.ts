import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import apiAccessToken from "../../../plugins/api_access_token/plugin.ts";
import { APIAccessTokenService } from "../../../plugins/api_access_token/proto/service_api_access_token_pb.ts";
import user from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import userAccessKey from "../../../plugins/user_access_key/plugin.ts";
import { UserAccessKeyService } from "../../../plugins/user_access_key/proto/service_user_access_key_pb.ts";

const { createUser, updateUser, updateUserLogin, verifyUser, deleteUser, loginUser } = UserService.method;
const { createUserAccessKey } = UserAccessKeyService.method;
const { getAPIAccessToken } = APIAccessTokenService.method;
const root = as.admin();
const username = "ada";
const password = "correct horse battery";
const newPassword = "an entirely new horse";

let clock: TestClock;
let edgehelm: TestKernel;
let userId: bigint;
let credential: { type: string; accessKeyId: string; accessKey: string };

async function open(config = {}): Promise<void> {
  clock = new TestClock();
  edgehelm = await testKernel({ plugins: [user, userAccessKey, apiAccessToken], clock, config });
  ({ userId } = await edgehelm.call(root, createUser, { username, password }));
  const key = await edgehelm.call(root, createUserAccessKey, { userId });
  credential = { type: "user", accessKeyId: key.uniqueId, accessKey: key.secret };
}

beforeEach(() => open());
afterEach(() => edgehelm[Symbol.asyncDispose]());

const exchange = async () => (await edgehelm.call(as.anonymous(), getAPIAccessToken, credential)).token;

async function post(token: string, operation: string, body: unknown): Promise<{ code: number; reason?: string }> {
  const headers = { "x-cloud-access-token": token };
  const url = `http://edgehelm.test/UserService/${operation}`;
  return await (await edgehelm.fetch(new Request(url, { method: "POST", headers, body: JSON.stringify(body) }))).json();
}

const find = (token: string) => post(token, "findEnabledUser", {});

describe("a user's token ends for good when the user", () => {
  const on = { username, isOn: true };
  test.each<[string, () => Promise<unknown>, (() => Promise<unknown>)?]>([
    [
      "is turned off",
      () => edgehelm.call(root, updateUser, { userId, username, isOn: false }),
      () => edgehelm.call(root, updateUser, { userId, ...on }),
    ],
    [
      "is rejected",
      () => edgehelm.call(root, verifyUser, { userId, isRejected: true }),
      () => edgehelm.call(root, verifyUser, { userId }),
    ],
    ["is deleted", () => edgehelm.call(root, deleteUser, { userId })],
  ])("%s, and there is no new one meanwhile", async (_case, end, allowAgain) => {
    const token = await exchange();
    expect(await find(token)).toMatchObject({ code: 200 });
    await end();
    expect(await find(token)).toMatchObject({ code: 401 });
    await expect(exchange()).rejects.toMatchObject({ code: 401, reason: "access_token.refused" });
    if (allowAgain === undefined) return;
    await allowAgain();
    expect(await find(token)).toMatchObject({ code: 401 });
    expect(await find(await exchange())).toMatchObject({ code: 200 });
  });

  test.each([
    [
      "updateUserLogin by an admin",
      () => edgehelm.call(root, updateUserLogin, { userId, username, password: "a b c d e" }),
    ],
    ["updateUser", () => edgehelm.call(root, updateUser, { userId, ...on, password: "a b c d e" })],
    [
      "updateUserLogin by the user",
      () => edgehelm.call(as.user(userId), updateUserLogin, { username, password: "a b c d e", oldPassword: password }),
    ],
  ])("gets a new password by %s", async (_case, change) => {
    const token = await exchange();
    await change();
    expect(await find(token)).toMatchObject({ code: 401 });
    expect(await find(await exchange())).toMatchObject({ code: 200 });
  });

  test("but not when the user is renamed", async () => {
    const token = await exchange();
    await edgehelm.call(root, updateUserLogin, { userId, username: "ada2" });
    expect(await find(token)).toMatchObject({ code: 200 });
  });
});

test("a locked username is released when an admin saves the user, and was never locked from elsewhere", async () => {
  const login = (text: string, ip = "") => edgehelm.call(root, loginUser, { username, password: text, ip });
  for (let time = 0; time < 10; time++) expect((await login("wrong horse", "192.0.2.1")).isOk).toBe(false);
  await expect(login(password, "192.0.2.1")).rejects.toMatchObject({ code: 429 });
  expect((await login(password, "192.0.2.2")).isOk).toBe(true);
  await expect(login(password, "here")).rejects.toMatchObject({ code: 400, message: expect.stringContaining("ip:") });
  await edgehelm.call(root, updateUser, { userId, username, isOn: true });
  expect((await login(password, "192.0.2.1")).isOk).toBe(true);
});

describe("updateUserLogin by a user", () => {
  const change = (fields = {}) => exchange().then((token) => post(token, "updateUserLogin", { username, ...fields }));
  const login = (text: string) => edgehelm.call(root, loginUser, { username, password: text });

  test("wants the old password, also for the username alone", async () => {
    const missing = { code: 400, reason: "user.old_password_required" };
    expect(await change({ password: newPassword })).toMatchObject(missing);
    expect(await change({ username: "ada2" })).toMatchObject(missing);
    expect(await change({ password: newPassword, oldPassword: "wrong horse" }))
      .toMatchObject({ code: 400, reason: "user.old_password_wrong" });
    expect((await login(newPassword)).isOk).toBe(false);
    expect(await change({ password: newPassword, oldPassword: password })).toMatchObject({ code: 200 });
    expect((await login(newPassword)).isOk).toBe(true);
  });

  test("limits guesses of the old password", async () => {
    const token = await exchange();
    const guess = () => post(token, "updateUserLogin", { username, password: newPassword, oldPassword: "wrong horse" });
    for (let times = 0; times < 10; times++) expect(await guess()).toMatchObject({ code: 400 });
    expect(await guess()).toMatchObject({ code: 429, reason: "kernel.too_many_attempts" });
  });

  test("wants none within 10 minutes of a login, but a changed password ends that time", async () => {
    await login("wrong horse battery");
    expect(await change({ password: newPassword })).toMatchObject({ code: 400 });
    await login(password);
    clock.advance(599);
    expect(await change({ password: newPassword })).toMatchObject({ code: 200 });
    expect(await change({ password })).toMatchObject({ code: 400 });
    await login(newPassword);
    clock.advance(601);
    expect(await change({ password })).toMatchObject({ code: 400 });
  });

  test("wants none if the installation is set to, nor does an admin", async () => {
    await edgehelm.call(root, updateUserLogin, { userId, username, password: newPassword });
    await edgehelm[Symbol.asyncDispose]();
    await open({ user: { loginWithoutOldPassword: true } });
    expect(await change({ password: newPassword })).toMatchObject({ code: 200 });
  });
});
