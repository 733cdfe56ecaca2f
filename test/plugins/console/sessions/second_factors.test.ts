import { describe, expect, test } from "vitest";
import { AdminService } from "../../../../plugins/admin/proto/service_admin_pb.ts";
import { LoginService } from "../../../../plugins/login/proto/service_login_pb.ts";
import { codeOf } from "../../../../plugins/login/totp.ts";
import {
  ask,
  type Asked,
  clock,
  codeWith,
  cookieOf,
  edgehelm,
  newAdmin,
  newUser,
  PASSWORD,
  root,
  signIn,
  useKernel,
} from "./sessions_rig.ts";

useKernel({ login: { requireOTPOfSuperAdmins: true } });

const now = (secret: string) => codeOf(secret, BigInt(Math.floor(clock.now() / 30_000)));

/** Sets a second factor up, as the page does, and waits for the next code. */
async function setUp(asked: Asked): Promise<{ secret: string; confirmed: Asked; codes: string[] }> {
  const secret = String((await ask("factor_begin", { password: PASSWORD }, cookieOf(asked))).data["secret"]);
  const confirmed = await ask("factor_confirm", { code: await now(secret) }, cookieOf(asked));
  clock.advance(30);
  return { secret, confirmed, codes: confirmed.data["codes"] as string[] };
}

const withCode = (username: string, code: string) =>
  ask("sign_in", { type: "user", username, password: PASSWORD, code });

describe("a second factor", () => {
  test("is turned on with the password and a code, which ends every other session", async () => {
    const { username } = await newUser();
    const [asked, other] = [await signIn("user", username), await signIn("user", username)];
    expect(await ask("factor_begin", { password: "wrong" }, cookieOf(asked))).toMatchObject({ code: 400 });
    await ask("factor_begin", { password: PASSWORD }, cookieOf(asked));
    const wrong = await ask("factor_confirm", { code: "000000" }, cookieOf(asked));
    expect(wrong).toMatchObject({ code: 401, reason: "console.code_refused" });
    expect((await signIn("user", username)).data["token"]).toBeDefined();
    const { confirmed, codes } = await setUp(asked);
    expect([await codeWith(confirmed), await codeWith(other), await codeWith(asked)]).toEqual([200, 401, 401]);
    expect(new Set(codes).size).toBe(10);
    expect((await ask("factor", {}, cookieOf(confirmed))).data).toEqual({ isOn: true });
  });

  test("is asked for after the right password only, and each code works once", async () => {
    const { username } = await newUser();
    const { secret } = await setUp(await signIn("user", username));
    expect(await signIn("user", username)).toMatchObject({ code: 200, data: { needsCode: true }, setCookie: "" });
    const wrong = await signIn("user", username, "something else");
    expect(wrong).toMatchObject({ code: 401, reason: "console.refused" });
    const code = await now(secret);
    const asked = await withCode(username, code);
    expect(await codeWith(asked)).toBe(200);
    expect(await withCode(username, code)).toMatchObject({ code: 401, reason: "console.code_refused", setCookie: "" });
    clock.advance(90);
    expect((await withCode(username, code)).code).toBe(401);
  });

  test("recovery codes work once each, and a new set replaces them", async () => {
    const { username } = await newUser();
    const { codes, confirmed } = await setUp(await signIn("user", username));
    const signedIn = async (code: string) => (await withCode(username, code)).data["token"] !== undefined;
    expect([await signedIn(codes[0]!), await signedIn(codes[0]!), await signedIn(codes[1]!.toUpperCase())])
      .toEqual([true, false, true]);
    const renewed = await ask("factor_codes", { password: PASSWORD }, cookieOf(confirmed));
    const [fresh] = renewed.data["codes"] as string[];
    expect([await signedIn(codes[2]!), await signedIn(fresh!)]).toEqual([false, true]);
  });

  test("guesses of codes are counted like those of passwords", async () => {
    const { username } = await newUser();
    const { secret } = await setUp(await signIn("user", username));
    let last = await withCode(username, "000000");
    for (let guess = 0; guess < 30 && last.code === 401; guess++) last = await withCode(username, "000000");
    expect(last.code).toBe(429);
    expect((await withCode(username, await now(secret))).code).toBe(429);
    clock.advance(3600);
  });

  test("is turned off with the password only", async () => {
    const { username } = await newUser();
    const { confirmed } = await setUp(await signIn("user", username));
    expect((await ask("factor_off", { password: "wrong" }, cookieOf(confirmed))).code).toBe(400);
    expect((await ask("factor_begin", { password: PASSWORD }, cookieOf(confirmed))).reason).toBe("login.is_on");
    const off = await ask("factor_off", { password: PASSWORD }, cookieOf(confirmed));
    expect([await codeWith(off), await codeWith(confirmed)]).toEqual([200, 401]);
    expect((await signIn("user", username)).data["token"]).toBeDefined();
  });

  test("a change by a super admin ends the sessions of the person; saving the same again does not", async () => {
    const { userId, username } = await newUser();
    const login = { type: "otp", userId, isOn: false };
    const asked = await signIn("user", username);
    await edgehelm.call(root, LoginService.method.updateLogin, { login });
    expect(await codeWith(asked)).toBe(200);
    const paramsJSON = new TextEncoder().encode('{"secret":"GEZDGNBVGY3TQOJQ"}');
    await edgehelm.call(root, LoginService.method.updateLogin, { login: { ...login, isOn: true, paramsJSON } });
    expect(await codeWith(asked)).toBe(401);
    expect((await signIn("user", username)).data["needsCode"]).toBe(true);
  });
});

describe("with requireOTPOfSuperAdmins", () => {
  const isOffered = async ({ data }: Asked) => {
    const headers = { "x-cloud-access-token": String(data["token"]) };
    const url = "http://localhost/AdminService/countAllEnabledAdmins";
    return (await (await edgehelm.fetch(new Request(url, { method: "POST", headers, body: "{}" }))).json()).code;
  };

  test("a super admin can do nothing but set the second factor up, and then everything", async () => {
    const { adminId, username } = await newAdmin();
    const fields = { adminId, username, fullname: "x", isOn: true, canLogin: true };
    await edgehelm.call(root, AdminService.method.updateAdmin, { ...fields, isSuper: true });
    const asked = await signIn("admin", username);
    expect([asked.data["mustSetUp"], await codeWith(asked), await isOffered(asked)]).toEqual([true, 200, 403]);
    const { confirmed } = await setUp(asked);
    expect([confirmed.data["mustSetUp"], await isOffered(confirmed)]).toEqual([false, 200]);
    const off = await ask("factor_off", { password: PASSWORD }, cookieOf(confirmed));
    expect([off.data["mustSetUp"], await isOffered(off)]).toEqual([true, 403]);
  });

  test("other admins and users are not concerned", async () => {
    const [admin, user] = [await newAdmin(), await newUser()];
    const asked = [await signIn("admin", admin.username), await signIn("user", user.username)];
    expect(asked.map(({ data }) => data["mustSetUp"])).toEqual([false, false]);
  });
});
