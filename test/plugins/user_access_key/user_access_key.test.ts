import { as, stub, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import admin from "../../../plugins/admin/plugin.ts";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import apiAccessToken from "../../../plugins/api_access_token/plugin.ts";
import { APIAccessTokenService } from "../../../plugins/api_access_token/proto/service_api_access_token_pb.ts";
import helloWorld from "../../../plugins/hello_world/plugin.ts";
import { Users } from "../../../plugins/user/contract.ts";
import userAccessKey from "../../../plugins/user_access_key/plugin.ts";
import { UserAccessKeyService } from "../../../plugins/user_access_key/proto/service_user_access_key_pb.ts";
import { filesContaining } from "../../harness/files.ts";

const { createUserAccessKey, findAllEnabledUserAccessKeys, updateUserAccessKeyIsOn, deleteUserAccessKey } =
  UserAccessKeyService.method;
const { countAllEnabledUserAccessKeys } = UserAccessKeyService.method;
const { getAPIAccessToken } = APIAccessTokenService.method;
const ada = as.user(7n);
const bob = as.user(8n);
const plugins = [admin, apiAccessToken, helloWorld, userAccessKey];
const usersOff = new Set<bigint>();
const users = stub(Users, { isLive: (_call, id) => Promise.resolve(!usersOff.has(id)) });

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins, stubs: [users] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

/** Calls sayHello with a token and returns the envelope of the response. */
async function hello(token: string): Promise<{ code: number; message: string }> {
  const headers = { "x-cloud-access-token": token };
  const url = "http://edgehelm.test/HelloWorldService/sayHello";
  return await (await edgehelm.fetch(new Request(url, { method: "POST", body: "{}", headers }))).json();
}

async function newKey(caller = ada): Promise<{ userAccessKeyId: bigint; accessKeyId: string; accessKey: string }> {
  const key = await edgehelm.call(caller, createUserAccessKey, { description: "test" });
  return { userAccessKeyId: key.userAccessKeyId, accessKeyId: key.uniqueId, accessKey: key.secret };
}

describe("createUserAccessKey", () => {
  test("creates a user's key for that user, regardless of the owner in the request", async () => {
    const { userAccessKeyId } = await edgehelm.call(ada, createUserAccessKey, { userId: 8n, adminId: 1n });
    const { userAccessKeys } = await edgehelm.call(ada, findAllEnabledUserAccessKeys, {});
    expect(userAccessKeys[0]).toMatchObject({ id: userAccessKeyId, userId: 7n, isOn: true });
  });

  test("generates an id of 16 and a secret of 32 letters and digits", async () => {
    const key = await newKey();
    expect(key.accessKeyId).toMatch(/^[A-Za-z0-9]{16}$/);
    expect(key.accessKey).toMatch(/^[A-Za-z0-9]{32}$/);
  });

  test.each([
    ["no owner", {}, "exactly one"],
    ["two owners", { userId: 7n, adminId: 1n }, "exactly one"],
    ["an admin who does not exist", { adminId: 99n }, "admin 99"],
    ["a user who is turned off", { userId: 66n }, "user 66"],
  ])("refuses an admin's request that names %s", async (_case, owner, message) => {
    usersOff.add(66n);
    await expect(edgehelm.call(as.admin(), createUserAccessKey, owner))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});

test("a user can never obtain an admin's key", async () => {
  const key = await edgehelm.call(ada, createUserAccessKey, { adminId: 1n });
  const credential = { type: "admin", accessKeyId: key.uniqueId, accessKey: key.secret };
  await expect(edgehelm.call(as.anonymous(), getAPIAccessToken, credential)).rejects.toMatchObject({ code: 401 });
  const ofAdmin = await edgehelm.call(as.admin(), findAllEnabledUserAccessKeys, { adminId: 1n });
  expect(ofAdmin.userAccessKeys.map(({ id }) => id)).not.toContain(key.userAccessKeyId);
  const found = await edgehelm.call(ada, findAllEnabledUserAccessKeys, { adminId: 1n });
  expect(found.userAccessKeys.every(({ userId }) => userId === 7n)).toBe(true);
});

test("a key for a user is refused if the plugin user is not enabled", async () => {
  await using alone = await testKernel({ plugins });
  await expect(alone.call(as.admin(), createUserAccessKey, { userId: 7n }))
    .rejects.toMatchObject({ code: 400, reason: "user_access_key.user_missing" });
});

describe("a token", () => {
  test("is issued for a key and is revoked when the key is turned off", async () => {
    const { userAccessKeyId, ...key } = await newKey();
    const { token, expiresAt } = await edgehelm.call(as.anonymous(), getAPIAccessToken, { type: "user", ...key });
    expect(expiresAt).toBeGreaterThan(0n);
    expect(await hello(token)).toMatchObject({ code: 200 });
    await edgehelm.call(ada, updateUserAccessKeyIsOn, { userAccessKeyId, isOn: false });
    expect(await hello(token)).toMatchObject({ code: 401, message: expect.stringContaining("access token") });
    await edgehelm.call(ada, updateUserAccessKeyIsOn, { userAccessKeyId, isOn: true });
    expect(await hello(token)).toMatchObject({ code: 200 });
    await edgehelm.call(ada, deleteUserAccessKey, { userAccessKeyId });
    expect(await hello(token)).toMatchObject({ code: 401 });
  });

  test("is refused with the same response for every invalid credential", async () => {
    const { accessKeyId, accessKey } = await newKey();
    const off = await newKey();
    await edgehelm.call(ada, updateUserAccessKeyIsOn, { userAccessKeyId: off.userAccessKeyId, isOn: false });
    const deleted = await newKey();
    await edgehelm.call(ada, deleteUserAccessKey, { userAccessKeyId: deleted.userAccessKeyId });
    const ownerOff = await newKey(as.user(77n));
    usersOff.add(77n);
    const invalidCredentials = [
      { type: "user", accessKeyId: "unknown000000000", accessKey },
      { type: "user", accessKeyId, accessKey: `${accessKey}x` },
      { type: "user", accessKeyId, accessKey: "" },
      { type: "admin", accessKeyId, accessKey },
      { type: "user", accessKeyId: off.accessKeyId, accessKey: off.accessKey },
      { type: "user", accessKeyId: deleted.accessKeyId, accessKey: deleted.accessKey },
      { type: "user", accessKeyId: ownerOff.accessKeyId, accessKey: ownerOff.accessKey },
    ];
    for (const credential of invalidCredentials) {
      const { requestId: _, ...response } = await edgehelm.post("/APIAccessTokenService/getAPIAccessToken", credential);
      expect(response).toEqual({
        status: 200,
        code: 401,
        data: {},
        message: "access key not found: no access token for this id, secret and type",
        reason: "access_token.refused",
      });
    }
  });

  test("is revoked with its admin", async () => {
    const { createAdmin, deleteAdmin, updateAdmin } = AdminService.method;
    const newAdmin = { username: "brief", password: "correct horse battery", fullname: "Brief", isSuper: false };
    const { adminId } = await edgehelm.call(as.admin(), createAdmin, newAdmin);
    const key = await edgehelm.call(as.admin(), createUserAccessKey, { adminId });
    const credential = { type: "admin", accessKeyId: key.uniqueId, accessKey: key.secret };
    const { token } = await edgehelm.call(as.anonymous(), getAPIAccessToken, credential);
    expect(await hello(token)).toMatchObject({ code: 200 });
    await edgehelm.call(as.admin(), updateAdmin, { adminId, username: "brief", isOn: false });
    expect(await hello(token)).toMatchObject({ code: 401 });
    await edgehelm.call(as.admin(), updateAdmin, { adminId, username: "brief", isOn: true });
    expect(await hello(token)).toMatchObject({ code: 200 });
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

test("another user's key cannot be listed, turned off or deleted", async () => {
  const { userAccessKeyId } = await newKey();
  const notFound = { code: 404, reason: "user_access_key.not_found" };
  await expect(edgehelm.call(bob, deleteUserAccessKey, { userAccessKeyId })).rejects.toMatchObject(notFound);
  await expect(edgehelm.call(bob, updateUserAccessKeyIsOn, { userAccessKeyId })).rejects.toMatchObject(notFound);
  expect((await edgehelm.call(bob, findAllEnabledUserAccessKeys, { userId: 7n })).userAccessKeys).toEqual([]);
  expect((await edgehelm.call(bob, countAllEnabledUserAccessKeys, { userId: 7n })).count).toBe(0n);
});

test("an admin who sets no owner receives no keys", async () => {
  expect((await edgehelm.call(as.admin(), findAllEnabledUserAccessKeys, {})).userAccessKeys).toEqual([]);
});

describe("secrets at rest", () => {
  test("are not in the database files", async () => {
    const { accessKey } = await newKey();
    expect(filesContaining(edgehelm.directory, accessKey)).toEqual([]);
  });

  test("are returned in lists unless secretOnce is set", async () => {
    const { userAccessKeyId, accessKey } = await newKey();
    const { userAccessKeys } = await edgehelm.call(ada, findAllEnabledUserAccessKeys, {});
    expect(userAccessKeys.find(({ id }) => id === userAccessKeyId)?.secret).toBe(accessKey);

    await using once = await testKernel({ plugins, stubs: [users], config: { user_access_key: { secretOnce: true } } });
    const key = await once.call(ada, createUserAccessKey, {});
    const listed = await once.call(ada, findAllEnabledUserAccessKeys, {});
    expect(listed.userAccessKeys[0]?.secret).toBe("");
    const credential = { type: "user", accessKeyId: key.uniqueId, accessKey: key.secret };
    expect((await once.call(as.anonymous(), getAPIAccessToken, credential)).token).not.toBe("");
    const wrong = { ...credential, accessKey: `${key.secret}x` };
    await expect(once.call(as.anonymous(), getAPIAccessToken, wrong)).rejects.toMatchObject({ code: 401 });
  });
});

describe("the first start", () => {
  test("creates an admin and prints a valid key, once", async () => {
    await using first = await testKernel({ plugins });
    const [, idLine, secretLine] = first.kernel.notices;
    const credential = { type: "admin", accessKeyId: lastWord(idLine), accessKey: lastWord(secretLine) };
    expect((await first.call(as.anonymous(), getAPIAccessToken, credential)).token).not.toBe("");
    expect(first.kernel.notices.at(-1)).toContain("getAPIAccessToken");
    expect(first.kernel.notices.at(-1)).toContain(JSON.stringify(credential));
    await first.stop();
    const second = await testKernel({ plugins, directory: first.directory });
    expect(second.kernel.notices).toEqual([]);
    await second.stop();
  });

  test("the command create creates an admin with a valid key, and refuses an existing username", async () => {
    await using kernel = await testKernel({ plugins });
    const create = kernel.kernel.commands.find(({ name }) => name === "admin create")!;
    const lines = await create.run(kernel.kernel.systemCall("test"), ["second"]);
    const credential = { type: "admin", accessKeyId: lastWord(lines[1]), accessKey: lastWord(lines[2]) };
    expect((await kernel.call(as.anonymous(), getAPIAccessToken, credential)).token).not.toBe("");
    await expect(create.run(kernel.kernel.systemCall("test"), ["SECOND"]))
      .rejects.toMatchObject({ reason: "admin.username_taken" });
  });

  test("the command reset turns the existing keys off and creates a new one", async () => {
    await using kernel = await testKernel({ plugins });
    const [, idLine, secretLine] = kernel.kernel.notices;
    const old = { type: "admin", accessKeyId: lastWord(idLine), accessKey: lastWord(secretLine) };
    const reset = kernel.kernel.commands.find(({ name }) => name === "admin reset")!;
    const lines = await reset.run(kernel.kernel.systemCall("test"), ["admin"]);
    await expect(kernel.call(as.anonymous(), getAPIAccessToken, old)).rejects.toMatchObject({ code: 401 });
    const credential = { type: "admin", accessKeyId: lastWord(lines[1]), accessKey: lastWord(lines[2]) };
    expect((await kernel.call(as.anonymous(), getAPIAccessToken, credential)).token).not.toBe("");
  });
});

function lastWord(line: string | undefined): string {
  return line!.trim().split(/\s+/).at(-1)!;
}
