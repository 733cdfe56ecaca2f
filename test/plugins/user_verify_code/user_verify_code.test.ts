import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { database } from "../../../core/storage/database.ts";
import taskPlugin from "../../../plugins/message_task/plugin.ts";
import { messageTaskStore, type Tables as TaskTables } from "../../../plugins/message_task/store.ts";
import codePlugin from "../../../plugins/user_verify_code/plugin.ts";
import { codeStore, type Tables as CodeTables } from "../../../plugins/user_verify_code/store.ts";
import { emittedBy } from "../../core/events/emitted.ts";
import { WIRES } from "../../harness/wire.ts";
import { MailRig, PASSWORD, root, rpc } from "./mail_rig.ts";

const NEW_PASSWORD = "a better horse battery";
const WRONG = { isOk: false, errorCode: "wrong_code" };

const tablesOf = ({ manifest: { name: owner, tables } }: typeof taskPlugin) => ({ owner, tables: new Set(tables) });
const messages = messageTaskStore(database<TaskTables>(tablesOf(taskPlugin)));
const codes = codeStore(database<CodeTables>(tablesOf(codePlugin)));

let rig: MailRig;
let addresses = 0;
let ip: string;
beforeAll(async () => {
  rig = await MailRig.open();
});
afterAll(() => rig[Symbol.asyncDispose]());
beforeEach(() => {
  rig.clock.advance(86_401);
  ip = `192.0.2.${++addresses}`;
});

const ask = (email: string, more: object = {}) =>
  rig.edgehelm.call(root, rpc.sendUserVerifyCode, { type: "resetPassword", email, ip, ...more });
const reset = (email: string, code: string, more: object = {}) =>
  rig.edgehelm.call(root, rpc.validateUserVerifyCode, {
    ...{ type: "resetPassword", email, code, newPassword: NEW_PASSWORD, ip },
    ...more,
  });
const logIn = async (username: string, password: string) =>
  (await rig.edgehelm.call(root, rpc.loginUser, { username, password })).isOk;
const other = (code: string) => code === "00000000" ? "00000001" : "00000000";

test("a code sets another password, once, ends the tokens, and is an event for the user", async () => {
  const { userId, username, caller, email } = await rig.verifiedUser();
  await rig.edgehelm.call(caller, rpc.findLatestUserEmailVerification, {});
  expect(await ask(email.toUpperCase())).toMatchObject({ codeLength: 8 });
  const code = await rig.codeTo(email.toUpperCase());
  expect(code).toMatch(/^\d{8}$/);
  expect(await reset(email, code)).toMatchObject({ isOk: true, errorCode: "" });
  expect([await logIn(username, PASSWORD), await logIn(username, NEW_PASSWORD)]).toEqual([false, true]);
  expect(await reset(email, code)).toMatchObject(WRONG);
  expect((await emittedBy(rig.edgehelm, "user_verify_code")).at(-1)).toMatchObject({
    name: "user_verify_code.password_reset",
    userId,
    data: { userId: String(userId), address: ip },
  });
});

test("the response is the same for an unknown address, and for one that is not verified; no mail goes there", async () => {
  const { email } = await rig.verifiedUser();
  const unverified = await rig.newUser();
  const before = rig.mails.length;
  for (const wire of WIRES) {
    const responses = [];
    for (const address of [email, `${unverified.username}@example.com`, "unknown@example.com"]) {
      const request = { type: "resetPassword", email: address, ip: `198.51.100.${++addresses}` };
      responses.push(await rig.edgehelm.call(root, rpc.sendUserVerifyCode, request, wire));
    }
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
  }
  await rig.deliver();
  expect(rig.mails.slice(before).map(({ user }) => user)).toEqual(WIRES.map(() => email));
  expect(await reset("unknown@example.com", "00000000")).toMatchObject(WRONG);
});

test("a user who may not sign in gets no code", async () => {
  const { userId, username, email } = await rig.verifiedUser();
  await rig.edgehelm.call(root, rpc.updateUser, { userId, username, fullname: "Off", email, isOn: false });
  await ask(email);
  const before = rig.mails.length;
  await rig.deliver();
  expect(rig.mails.length).toBe(before);
});

describe("a code is refused", () => {
  test("after five attempts, also the right one", async () => {
    const { email, username } = await rig.verifiedUser();
    await ask(email);
    const code = await rig.codeTo(email);
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(await reset(email, other(code), { ip: `203.0.113.${attempt}` })).toMatchObject(WRONG);
    }
    expect(await reset(email, code)).toMatchObject(WRONG);
    expect(await logIn(username, PASSWORD)).toBe(true);
  });

  test("after five attempts at once", async () => {
    const { email } = await rig.verifiedUser();
    await ask(email);
    const code = await rig.codeTo(email);
    const wrong = Array.from(
      { length: 5 },
      (_, index) => reset(email, other(code), { ip: `203.0.113.${100 + index}` }),
    );
    await Promise.all(wrong);
    expect(await reset(email, code)).toMatchObject(WRONG);
  });

  test("after ten minutes", async () => {
    const { email } = await rig.verifiedUser();
    await ask(email);
    const code = await rig.codeTo(email);
    rig.clock.advance(600);
    expect(await reset(email, code)).toMatchObject(WRONG);
  });

  test("after another one was sent", async () => {
    const { email } = await rig.verifiedUser();
    await ask(email);
    const first = await rig.codeTo(email);
    await ask(email);
    const second = await rig.codeTo(email);
    if (first !== second) expect(await reset(email, first)).toMatchObject(WRONG);
    expect(await reset(email, second)).toMatchObject({ isOk: true });
  });

  test("after the password or the address was changed", async () => {
    const { userId, username, caller, email } = await rig.verifiedUser();
    await ask(email);
    const first = await rig.codeTo(email);
    await rig.edgehelm.call(root, rpc.updateUserLogin, { userId, username, password: "third password" });
    expect(await reset(email, first)).toMatchObject(WRONG);
    await ask(email);
    const second = await rig.codeTo(email);
    await rig.edgehelm.call(caller, rpc.updateUserInfo, { fullname: "Ada", email: "elsewhere@example.com" });
    expect(await reset(email, second)).toMatchObject(WRONG);
  });

  test("for another address", async () => {
    const [ada, bob] = [await rig.verifiedUser(), await rig.verifiedUser()];
    await ask(ada.email);
    const code = await rig.codeTo(ada.email);
    expect(await reset(bob.email, code)).toMatchObject(WRONG);
  });
});

test("a password that is too short is refused without an attempt, so that the person can type another", async () => {
  const { email } = await rig.verifiedUser();
  await ask(email);
  const code = await rig.codeTo(email);
  for (let attempt = 0; attempt < 6; attempt++) {
    await expect(reset(email, code, { newPassword: "short" })).rejects.toThrow("newPassword: must have at least 8");
  }
  expect(await reset(email, code)).toMatchObject({ isOk: true });
});

test("guesses are bounded by the address of the person, over codes", async () => {
  const guess = () => reset("guesses@example.com", "00000000");
  const refused = async (): Promise<string> => {
    for (;;) {
      try {
        await guess();
      } catch (error) {
        return (error as { readonly reason: string }).reason;
      }
    }
  };
  expect(await refused()).toBe("kernel.too_many_attempts");
});

describe("codes are bounded", () => {
  test("for one address from one person, and then from all", async () => {
    for (let code = 0; code < 5; code++) await ask("bounded@example.com");
    const refused = { reason: "user_verify_code.codes_of_email" };
    await expect(ask("BOUNDED@example.com")).rejects.toMatchObject(refused);
    for (let code = 0; code < 5; code++) await ask("bounded@example.com", { ip: "198.51.100.200" });
    await expect(ask("bounded@example.com", { ip: "198.51.100.201" })).rejects.toMatchObject(refused);
    rig.clock.advance(86_401);
    await ask("bounded@example.com");
  });

  test("from one address, for all", async () => {
    for (let code = 0; code < 20; code++) await ask(`bounded${code}@example.com`, { ip: "2001:db8::1" });
    await expect(ask("bounded99@example.com", { ip: "2001:db8::2" }))
      .rejects.toMatchObject({ reason: "user_verify_code.codes_of_address" });
    await ask("bounded99@example.com");
  });

  test("in all", async () => {
    await using small = await MailRig.open({ user_verify_code: { messageMediaInstanceId: "1", codesPerDay: 2 } });
    const send = (email: string) =>
      small.edgehelm.call(root, rpc.sendUserVerifyCode, { type: "resetPassword", email, ip: "" });
    await send("a@example.com");
    await send("b@example.com");
    await expect(send("c@example.com")).rejects.toMatchObject({ reason: "user_verify_code.codes_of_all" });
  });
});

test("a telephone number, another type, and an installation without mail are refused", async () => {
  await expect(ask("", { mobile: "+49 30 1" })).rejects.toMatchObject({
    reason: "user_verify_code.mobile_unsupported",
  });
  await expect(ask("a@example.com", { type: "signIn" })).rejects.toThrow(/^type: must be/);
  await using none = await MailRig.open({ user_verify_code: { messageMediaInstanceId: "99" } });
  await expect(none.edgehelm.call(root, rpc.sendUserVerifyCode, { type: "resetPassword", email: "a@example.com" }))
    .rejects.toMatchObject({ reason: "user_verify_code.no_mail" });
});

test("a code is readable neither in the database nor in the queue, and it is gone when it was sent", async () => {
  const { email } = await rig.verifiedUser();
  await ask(email);
  await rig.edgehelm.kernel.runJob("user_verify_code.send");
  const call = rig.edgehelm.kernel.systemCall("test");
  const stored = await codes.latest.one(call, { email });
  const queued = await messages.queuedAfter.all(call, { isPrimary: 2n, id: 0n, now: BigInt(10 ** 12), limit: 10 });
  const code = await rig.codeTo(email);
  const texts = JSON.stringify([stored, queued], (_key, value) => typeof value === "bigint" ? `${value}n` : value);
  expect(queued).toMatchObject([{ user: email, body: expect.stringContaining("******") }]);
  expect(texts).not.toContain(code);
  expect(await messages.byId.one(call, { id: queued[0]!.id })).toMatchObject({ sealedText: "", status: 2n });
});
