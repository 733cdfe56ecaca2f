import { as, TestClock, testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import { APIAccessTokenService } from "../../../plugins/api_access_token/proto/service_api_access_token_pb.ts";
import { UserAccessKeyService } from "../../../plugins/user_access_key/proto/service_user_access_key_pb.ts";
import { ada, edgehelm, newKey, plugins, useKernel, users } from "./rig.ts";

const { createUserAccessKey, findAllEnabledUserAccessKeys, updateUserAccessKeyIsOn, deleteUserAccessKey } =
  UserAccessKeyService.method;
const { countAllEnabledUserAccessKeys } = UserAccessKeyService.method;
const { getAPIAccessToken } = APIAccessTokenService.method;

useKernel();

/** Calls sayHello with a token and returns the envelope of the response. */
async function hello(token: string): Promise<{ code: number; message: string }> {
  const headers = { "x-cloud-access-token": token };
  const url = "http://edgehelm.test/HelloWorldService/sayHello";
  return await (await edgehelm.fetch(new Request(url, { method: "POST", body: "{}", headers }))).json();
}

describe("a token", () => {
  test("is issued for a key and ends for good when the key is turned off", async () => {
    const { userAccessKeyId, ...key } = await newKey();
    const exchange = () => edgehelm.call(as.anonymous(), getAPIAccessToken, { type: "user", ...key });
    const { token, expiresAt } = await exchange();
    expect(expiresAt).toBeGreaterThan(0n);
    expect(await hello(token)).toMatchObject({ code: 200 });
    await edgehelm.call(ada, updateUserAccessKeyIsOn, { userAccessKeyId, isOn: false });
    expect(await hello(token)).toMatchObject({ code: 401, message: expect.stringContaining("access token") });
    await edgehelm.call(ada, updateUserAccessKeyIsOn, { userAccessKeyId, isOn: true });
    expect(await hello(token)).toMatchObject({ code: 401 });
    const second = await exchange();
    expect(await hello(second.token)).toMatchObject({ code: 200 });
    await edgehelm.call(ada, deleteUserAccessKey, { userAccessKeyId });
    expect(await hello(second.token)).toMatchObject({ code: 401 });
  });

  test("is refused after ten wrong secrets from one address, until an admin turns the key on", async () => {
    const { userAccessKeyId, ...key } = await newKey();
    const exchange = (accessKey: string) =>
      edgehelm.call(as.anonymous(), getAPIAccessToken, { type: "user", ...key, accessKey });
    for (let time = 0; time < 10; time++) await expect(exchange("wrong")).rejects.toMatchObject({ code: 401 });
    const locked = { code: 429, reason: "kernel.too_many_attempts" };
    await expect(exchange(key.accessKey)).rejects.toMatchObject(locked);
    await edgehelm.call(ada, updateUserAccessKeyIsOn, { userAccessKeyId, isOn: true });
    await expect(exchange(key.accessKey)).rejects.toMatchObject(locked);
    await edgehelm.call(as.admin(), updateUserAccessKeyIsOn, { userAccessKeyId, isOn: true });
    expect((await exchange(key.accessKey)).token).not.toBe("");
  });

  test("ends for good with its admin", async () => {
    const { createAdmin, deleteAdmin, updateAdmin, updateAdminLogin, createOrUpdateAdmin } = AdminService.method;
    const newAdmin = { username: "brief", password: "correct horse battery", fullname: "Brief", canLogin: true };
    const { adminId } = await edgehelm.call(as.admin(), createAdmin, newAdmin);
    const key = await edgehelm.call(as.admin(), createUserAccessKey, { adminId });
    const credential = { type: "admin", accessKeyId: key.uniqueId, accessKey: key.secret };
    const exchange = async () => (await edgehelm.call(as.anonymous(), getAPIAccessToken, credential)).token;
    let token = await exchange();
    expect(await hello(token)).toMatchObject({ code: 200 });
    await edgehelm.call(as.admin(), updateAdmin, { adminId, username: "brief", isOn: false, canLogin: true });
    expect(await hello(token)).toMatchObject({ code: 401 });
    await edgehelm.call(as.admin(), updateAdmin, { adminId, username: "brief", isOn: true, canLogin: true });
    expect(await hello(token)).toMatchObject({ code: 401 });
    const password = "a new correct horse";
    for (
      const change of [
        () =>
          edgehelm.call(as.admin(), updateAdmin, { adminId, username: "brief", isOn: true, canLogin: true, password }),
        () => edgehelm.call(as.admin(), updateAdminLogin, { adminId, username: "brief", password }),
        () => edgehelm.call(as.admin(), createOrUpdateAdmin, { username: "brief", password }),
      ]
    ) {
      token = await exchange();
      expect(await hello(token)).toMatchObject({ code: 200 });
      await change();
      expect(await hello(token)).toMatchObject({ code: 401 });
    }
    token = await exchange();
    await edgehelm.call(as.admin(), deleteAdmin, { adminId });
    expect(await hello(token)).toMatchObject({ code: 401 });
    expect((await edgehelm.call(as.admin(), countAllEnabledUserAccessKeys, { adminId })).count).toBe(0n);
  });

  test("updates the time of last use of its key at most once a minute", async () => {
    const clock = new TestClock();
    await using other = await testKernel({ plugins, stubs: [users], clock });
    const { uniqueId, secret } = await other.call(ada, createUserAccessKey, {});
    const first = BigInt(Math.floor(clock.now() / 1000));
    async function accessedAfter(seconds: number): Promise<bigint | undefined> {
      clock.advance(seconds);
      await other.call(as.anonymous(), getAPIAccessToken, { type: "user", accessKeyId: uniqueId, accessKey: secret });
      return (await other.call(ada, findAllEnabledUserAccessKeys, {})).userAccessKeys[0]?.accessedAt;
    }
    expect(await accessedAfter(0)).toBe(first);
    expect(await accessedAfter(59)).toBe(first);
    expect(await accessedAfter(1)).toBe(first + 60n);
  });
});
