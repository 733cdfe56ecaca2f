import { describe, expect, test } from "vitest";
import { AdminService } from "../../../../plugins/admin/proto/service_admin_pb.ts";
import { UserService } from "../../../../plugins/user/proto/service_user_pb.ts";
import { UserAccessKeyService } from "../../../../plugins/user_access_key/proto/service_user_access_key_pb.ts";
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

useKernel();

const hasEnded = async (asked: Asked) => {
  const { data } = await ask("token", {}, cookieOf(asked));
  return data["token"] === undefined;
};

describe("signing in", () => {
  test("a password gives a session and a token of five minutes; the cookie gives the next one", async () => {
    const { userId, username } = await newUser();
    const asked = await signIn("user", username);
    expect(asked).toMatchObject({ code: 200, data: { type: "user", id: String(userId) } });
    expect(Number(asked.data["expiresAt"]) - clock.now() / 1000).toBeCloseTo(300, -1);
    expect(await codeWith(asked)).toBe(200);
    clock.advance(301);
    expect(await codeWith(asked)).toBe(401);
    const renewed = await ask("token", {}, cookieOf(asked));
    expect(await codeWith(renewed)).toBe(200);
  });

  test("the cookie is out of the reach of scripts and other sites, and of HTTP where the page is not", async () => {
    const { username } = await newAdmin();
    const plain = await signIn("admin", username);
    expect(plain.setCookie).toMatch(
      /^edgehelm_session=[A-Za-z0-9]{16}\.[A-Za-z0-9]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
    const fields = { type: "admin", username, password: PASSWORD };
    const secure = await ask("sign_in", fields, { origin: "https://cdn.example", host: "cdn.example" });
    expect(secure.setCookie).toMatch(/^__Host-edgehelm=.*; Path=\/; HttpOnly; SameSite=Strict; .*; Secure$/);
    expect(await hasEnded(secure)).toBe(false);
  });

  test("a wrong password, an unknown name and another kind of person are refused alike", async () => {
    const { username } = await newUser();
    const wrong = await signIn("user", username, "something else");
    expect(wrong).toMatchObject({ code: 401, reason: "console.refused", setCookie: "" });
    expect(await signIn("user", "unknown")).toEqual(wrong);
    expect(await signIn("admin", username)).toEqual(wrong);
  });

  test("guesses count against the same budgets as those of other consoles", async () => {
    const { username } = await newUser();
    let last = await signIn("user", username, "wrong");
    for (let guess = 0; guess < 30 && last.code === 401; guess++) last = await signIn("user", username, "wrong");
    expect(last.code).toBe(429);
    expect((await signIn("user", username)).code).toBe(429);
    clock.advance(3600);
    expect((await signIn("user", username)).code).toBe(200);
  });

  test.each([
    [{ type: "node" }, "type: "],
    [{ type: "user", username: 7 }, "username: must be a text, got number"],
    [{ type: "user", username: "a", password: "x".repeat(1025) }, "password: must have at most 1024 characters"],
    [[], "the body is not a JSON object"],
  ])("%j is refused with an error that names the field", async (fields, message) => {
    const asked = await ask("sign_in", fields);
    expect([asked.code, asked.message.slice(0, message.length)]).toEqual([400, message]);
  });
});

describe("other pages", () => {
  test.each([
    [{ "x-edgehelm-console": "" }],
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site" }],
    [{ origin: "https://evil.example", host: "localhost" }],
    [{ origin: "null", host: "localhost" }],
  ])("may not use the cookie: %j", async (headers) => {
    const { username } = await newUser();
    const cookie = cookieOf(await signIn("user", username));
    const asked = await ask("token", {}, { ...cookie, ...headers });
    expect(asked).toMatchObject({ code: 403, reason: "console.foreign", data: {} });
  });
});

describe("access keys", () => {
  async function keyOf(userId: bigint, restriction?: object) {
    const { createUserAccessKey } = UserAccessKeyService.method;
    const fields = { userId, description: "laptop", ...(restriction && { restriction }) };
    const key = await edgehelm.call(root, createUserAccessKey, fields);
    const typed = { type: "user", accessKeyId: key.uniqueId, accessKey: key.secret };
    return { id: key.userAccessKeyId, typed };
  }

  test("begin sessions, which end when the key is turned off or deleted", async () => {
    const { userId } = await newUser();
    const { updateUserAccessKeyIsOn, deleteUserAccessKey } = UserAccessKeyService.method;
    const [off, gone] = [await keyOf(userId), await keyOf(userId)];
    const [one, other] = [await ask("sign_in", off.typed), await ask("sign_in", gone.typed)];
    expect(await codeWith(one)).toBe(200);
    await edgehelm.call(root, updateUserAccessKeyIsOn, { userAccessKeyId: off.id, isOn: false });
    expect([await codeWith(one), await hasEnded(one), await codeWith(other)]).toEqual([401, true, 200]);
    await edgehelm.call(root, updateUserAccessKeyIsOn, { userAccessKeyId: off.id, isOn: true });
    expect([await codeWith(one), await hasEnded(one)]).toEqual([401, true]);
    await edgehelm.call(root, deleteUserAccessKey, { userAccessKeyId: gone.id });
    expect([await codeWith(other), await hasEnded(other)]).toEqual([401, true]);
  });

  test("pass their restrictions on", async () => {
    const { userId, username } = await newUser();
    const asked = await ask("sign_in", (await keyOf(userId, { isReadOnly: true })).typed);
    const change = (token: unknown) =>
      edgehelm.fetch(
        new Request("http://localhost/UserService/updateUserLogin", {
          method: "POST",
          headers: { "x-cloud-access-token": String(token) },
          body: JSON.stringify({ username, password: "another password", oldPassword: PASSWORD }),
        }),
      );
    expect(await codeWith(asked)).toBe(200);
    expect(await (await change(asked.data["token"])).json()).toMatchObject({ reason: "access_key.read_only" });
    const expiring = await keyOf(userId, { expiresAt: BigInt(Math.floor(clock.now() / 1000) + 100) });
    const short = await ask("sign_in", expiring.typed);
    clock.advance(101);
    expect([await codeWith(short), await hasEnded(await signIn("user", username))]).toEqual([401, false]);
    expect((await ask("token", {}, cookieOf(short))).data["token"]).toBeUndefined();
  });

  test("a session cannot begin another one, which would never end", async () => {
    const { username } = await newUser();
    const [uniqueId, secret] = cookieOf(await signIn("user", username)).cookie.split("=")[1]!.split(".");
    const asked = await ask("sign_in", { type: "user", accessKeyId: uniqueId, accessKey: secret });
    expect(asked).toMatchObject({ code: 401, reason: "console.key_refused" });
  });
});

describe("sessions end", () => {
  test("when they are not used, and after their time however much they are used", async () => {
    const { username } = await newUser();
    const idle = await signIn("user", username);
    clock.advance(1799);
    const used = await ask("token", {}, cookieOf(idle));
    expect(await codeWith(used)).toBe(200);
    clock.advance(1801);
    expect(await hasEnded(idle)).toBe(true);
    const busy = await signIn("user", username);
    let minutes = 0;
    for (; minutes < 800 && !await hasEnded(busy); minutes += 20) clock.advance(1200);
    expect(minutes).toBe(720);
    await edgehelm.kernel.runJob("console.delete_ended");
  });

  test("on signing out, with their tokens", async () => {
    const { username } = await newAdmin();
    const [one, other] = [await signIn("admin", username), await signIn("admin", username)];
    const out = await ask("sign_out", {}, cookieOf(one));
    expect(out.setCookie).toMatch(/^edgehelm_session=; .*Max-Age=0/);
    expect([await codeWith(one), await hasEnded(one), await codeWith(other)]).toEqual([401, true, 200]);
  });

  test("with a new password, when their person is turned off, and when it is deleted", async () => {
    const { updateUserLogin, updateUser, deleteUser } = UserService.method;
    const { userId, username } = await newUser();
    const steps = [
      () => edgehelm.call(root, updateUserLogin, { userId, username, password: PASSWORD }),
      () => edgehelm.call(root, updateUser, { userId, username, fullname: "x", isOn: false }),
      () => edgehelm.call(root, deleteUser, { userId }),
    ];
    for (const step of steps) {
      await edgehelm.call(root, updateUser, { userId, username, fullname: "x", isOn: true });
      const asked = await signIn("user", username);
      expect(await codeWith(asked)).toBe(200);
      await step();
      expect([await codeWith(asked), await hasEnded(asked)]).toEqual([401, true]);
    }
    const { adminId, username: admin } = await newAdmin();
    const asked = await signIn("admin", admin);
    await edgehelm.call(root, AdminService.method.deleteAdmin, { adminId });
    expect([await codeWith(asked), await hasEnded(asked)]).toEqual([401, true]);
  });

  test("for good: turning the person on again does not bring them back", async () => {
    const { updateUser } = UserService.method;
    const { userId, username } = await newUser();
    const asked = await signIn("user", username);
    for (const isOn of [false, true]) await edgehelm.call(root, updateUser, { userId, username, fullname: "x", isOn });
    expect([await codeWith(asked), await hasEnded(asked)]).toEqual([401, true]);
  });
});

describe("the list of sessions", () => {
  test("shows one's own only, and ends one or all others", async () => {
    const [{ username }, stranger] = [await newUser(), await newUser()];
    const [first, second, third] = [
      await signIn("user", username),
      await signIn("user", username),
      await signIn("user", username),
    ];
    const foreign = await signIn("user", stranger.username);
    const listed = async () =>
      (await ask("list", {}, cookieOf(first))).data["sessions"] as { id: string; isCurrent: boolean }[];
    const sessions = await listed();
    expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([false, false, true]);
    expect(sessions[0]).toMatchObject({ userAgent: "Browser 1", isOfKey: false });
    expect(JSON.stringify(sessions)).not.toContain(cookieOf(first).cookie.slice(-43));
    const [theirs] = (await ask("list", {}, cookieOf(foreign))).data["sessions"] as { id: string }[];
    const refused = await ask("end", { sessionId: theirs!.id }, cookieOf(first));
    expect([refused.code, await codeWith(foreign)]).toEqual([404, 200]);
    await ask("end", { sessionId: sessions[0]!.id }, cookieOf(first));
    expect([await codeWith(third), await codeWith(second)]).toEqual([401, 200]);
    await ask("end", {}, cookieOf(first));
    expect([await codeWith(first), await codeWith(second), await hasEnded(second)]).toEqual([200, 401, true]);
    expect(await listed()).toHaveLength(1);
  });

  test("needs a session", async () => {
    expect(await ask("list", {})).toMatchObject({ code: 401, reason: "console.signed_out" });
  });
});
