import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import admin from "../../../plugins/admin/plugin.ts";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import { base32, base32Bytes } from "../../../plugins/login/base32.ts";
import plugin from "../../../plugins/login/plugin.ts";
import { LoginService } from "../../../plugins/login/proto/service_login_pb.ts";
import { codeOf, stepOf } from "../../../plugins/login/totp.ts";
import user from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";

const { findEnabledLogin, updateLogin } = LoginService.method;
const root = as.admin();
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test.each([[59n, "287082"], [1111111109n, "081804"], [1234567890n, "005924"], [20000000000n, "353130"]])(
  "the code at %i is that of RFC 6238, appendix B",
  async (seconds, code) => {
    expect(await codeOf(SECRET, seconds / 30n)).toBe(code);
  },
);

test("a code is accepted one step early and late, and not again", async () => {
  const code = await codeOf(SECRET, 100n);
  for (const seconds of [2970n, 3000n, 3059n]) expect(await stepOf(SECRET, code, seconds, 0n)).toBe(100n);
  for (const seconds of [2969n, 3060n]) expect(await stepOf(SECRET, code, seconds, 0n)).toBeUndefined();
  expect(await stepOf(SECRET, code, 3000n, 100n)).toBeUndefined();
});

test.each([[""], ["f"], ["fo"], ["foo"], ["foob"], ["fooba"], ["foobar"]])("base32 of %j is reversible", (text) => {
  expect(new TextDecoder().decode(base32Bytes(base32(new TextEncoder().encode(text))))).toBe(text);
  expect(base32(new TextEncoder().encode("foobar"))).toBe("MZXW6YTBOI");
});

describe("LoginService", () => {
  let edgehelm: TestKernel;
  let userId: bigint;
  beforeAll(async () => {
    edgehelm = await testKernel({ plugins: [plugin, admin, user] });
    const request = { username: "ada", password: "correct horse battery", fullname: "Ada", email: "ada@example.com" };
    ({ userId } = await edgehelm.call(root, UserService.method.createUser, request));
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());

  const set = (login: object) => edgehelm.call(root, updateLogin, { login: { type: "otp", ...login } });
  const params = (secret: string) => new TextEncoder().encode(JSON.stringify({ secret }));

  test("a console turns a factor on with a secret of its own, reads it, and turns it off and on again", async () => {
    const { checkUserOTPWithUsername, findEnabledUser } = UserService.method;
    const requires = async () => (await edgehelm.call(root, checkUserOTPWithUsername, { username: "ada" })).requireOTP;
    expect([await requires(), await edgehelm.call(root, findEnabledLogin, { userId, type: "otp" })]).toMatchObject([
      false,
      {},
    ]);
    await set({ userId, isOn: true, paramsJSON: params(SECRET) });
    const { login } = await edgehelm.call(root, findEnabledLogin, { userId, type: "otp" });
    expect([await requires(), login]).toMatchObject([true, { userId, isOn: true, paramsJSON: params(SECRET) }]);
    const { user: found } = await edgehelm.call(root, findEnabledUser, { userId });
    expect(found?.otpLogin).toMatchObject({ isOn: true, type: "otp", userId, paramsJSON: new Uint8Array() });
    await set({ userId, isOn: false });
    const { login: off } = await edgehelm.call(root, findEnabledLogin, { userId, type: "otp" });
    expect([await requires(), off]).toMatchObject([false, { isOn: false, paramsJSON: params(SECRET) }]);
    await set({ userId, isOn: true });
    expect(await requires()).toBe(true);
  });

  test("the secret is not in the database in plain text", async () => {
    await set({ userId, isOn: true, paramsJSON: params(SECRET) });
    const { readFile, readdir } = await import("node:fs/promises");
    const files = await readdir(edgehelm.directory);
    const contents = await Promise.all(files.map((file) => readFile(`${edgehelm.directory}/${file}`, "latin1")));
    expect(contents.join("")).toContain("ada@example.com");
    expect(contents.join("")).not.toContain(SECRET);
  });

  test("an admin has one, too, which is deleted with the admin", async () => {
    const username = "grace";
    const request = { username, password: "correct horse battery", fullname: "Grace", canLogin: true };
    const { adminId } = await edgehelm.call(root, AdminService.method.createAdmin, request);
    await set({ adminId, isOn: true, paramsJSON: params(SECRET) });
    const { checkAdminOTPWithUsername, findEnabledAdmin, deleteAdmin } = AdminService.method;
    expect((await edgehelm.call(root, checkAdminOTPWithUsername, { username })).requireOTP).toBe(true);
    const { admin: found } = await edgehelm.call(root, findEnabledAdmin, { adminId });
    expect(found?.otpLogin).toMatchObject({ isOn: true, adminId, paramsJSON: new Uint8Array() });
    await edgehelm.call(root, deleteAdmin, { adminId });
    expect(await edgehelm.call(root, findEnabledLogin, { adminId, type: "otp" })).toMatchObject({});
    await expect(set({ adminId, isOn: true })).rejects.toThrow(`login.adminId: ${adminId} does not exist`);
  });

  test.each([
    [{ isOn: true }, "exactly one of adminId and userId"],
    [{ isOn: true, adminId: 1n, userId: 1n }, "exactly one of adminId and userId"],
    [{ isOn: true, adminId: 1n }, "login.paramsJSON: must have a secret"],
    [{ isOn: true, adminId: 1n, type: "sms" }, "login.type: must be one of otp"],
    [{ isOn: true, adminId: 1n, paramsJSON: params("0189") }, "login.paramsJSON.secret: must be 16 to 128 characters"],
  ])("%o is refused", async (login, message) => {
    await expect(set(login)).rejects.toThrow(message);
  });
});
