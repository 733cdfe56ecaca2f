import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { WIRES } from "../../harness/wire.ts";
import { emittedBy } from "../../core/events/emitted.ts";
import { MailRig, PASSWORD, root, rpc } from "../user_verify_code/mail_rig.ts";

let rig: MailRig;
beforeAll(async () => {
  rig = await MailRig.open({
    user_email_verification: { messageMediaInstanceId: "1", link: "https://cdn.test/console#/verify_email/{code}" },
  });
});
afterAll(() => rig[Symbol.asyncDispose]());
beforeEach(() => rig.clock.advance(86_401));

const WRONG = { userId: 0n, email: "", errorCode: "wrong_code" };
type Person = Awaited<ReturnType<MailRig["newUser"]>>;

const send = ({ caller }: Person, email: string, password = PASSWORD) =>
  rig.edgehelm.call(caller, rpc.sendUserEmailVerification, { email, password });
const verify = ({ caller }: Pick<Person, "caller">, code: string) =>
  rig.edgehelm.call(caller, rpc.verifyUserEmail, { code });

test("an address is verified by the code of the mail, once, and is an event", async () => {
  const ada = await rig.newUser();
  await send(ada, "ada@example.com");
  const code = await rig.codeTo("ada@example.com");
  expect(rig.mails.at(-1)!.body).toContain(`https://cdn.test/console#/verify_email/${code}`);
  expect(await rig.find(ada.userId)).toMatchObject({ verifiedEmail: "" });
  expect(await verify(ada, code)).toMatchObject({ userId: ada.userId, email: "ada@example.com", errorCode: "" });
  expect(await rig.find(ada.userId)).toMatchObject({ email: "ada@example.com", verifiedEmail: "ada@example.com" });
  expect(await verify(ada, code)).toMatchObject(WRONG);
  const { email } = await rig.edgehelm.call(root, rpc.findUserVerifiedEmailWithUsername, { username: ada.username });
  expect(email).toBe("ada@example.com");
  expect((await emittedBy(rig.edgehelm, "user_email_verification")).at(-1))
    .toMatchObject({ name: "user_email_verification.verified", userId: ada.userId });
});

test("the last verification says how far it is, without its code, over every wire", async () => {
  const ada = await rig.newUser();
  expect(await rig.edgehelm.call(ada.caller, rpc.findLatestUserEmailVerification, {})).toMatchObject({});
  await send(ada, "latest@example.com");
  const find = async (wire?: (typeof WIRES)[number]) =>
    (await rig.edgehelm.call(ada.caller, rpc.findLatestUserEmailVerification, {}, wire)).userEmailVerification;
  expect(await find()).toMatchObject({ isSent: false, isVerified: false, code: "" });
  const code = await rig.codeTo("latest@example.com");
  expect(await find()).toMatchObject({ isSent: true, isVerified: false, email: "latest@example.com" });
  await verify(ada, code);
  for (const wire of WIRES) expect(await find(wire)).toMatchObject({ isVerified: true, code: "", userId: ada.userId });
});

describe("a code is refused", () => {
  test("after another one was sent", async () => {
    const ada = await rig.newUser();
    await send(ada, "first@example.com");
    const first = await rig.codeTo("first@example.com");
    await send(ada, "second@example.com");
    expect(await verify(ada, first)).toMatchObject(WRONG);
    expect(await verify(ada, await rig.codeTo("second@example.com"))).toMatchObject({ errorCode: "" });
  });

  test("after 24 hours", async () => {
    const ada = await rig.newUser();
    await send(ada, "late@example.com");
    const code = await rig.codeTo("late@example.com");
    rig.clock.advance(86_400);
    expect(await verify(ada, code)).toMatchObject(WRONG);
  });

  test("from another user; a console passes it on", async () => {
    const [ada, bob] = [await rig.newUser(), await rig.newUser()];
    await send(ada, "own@example.com");
    const code = await rig.codeTo("own@example.com");
    expect(await verify(bob, code)).toMatchObject(WRONG);
    expect(await verify({ caller: root }, code)).toMatchObject({ userId: ada.userId, errorCode: "" });
  });

  test("after the password was changed, since a thief may have asked for it", async () => {
    const ada = await rig.newUser();
    await send(ada, "thief@example.com");
    const code = await rig.codeTo("thief@example.com");
    const request = { userId: ada.userId, username: ada.username, password: "another password" };
    await rig.edgehelm.call(root, rpc.updateUserLogin, request);
    expect(await verify({ caller: root }, code)).toMatchObject(WRONG);
  });

  test("if another user has verified the address, whatever its case", async () => {
    const { email } = await rig.verifiedUser();
    const bob = await rig.newUser();
    await send(bob, email.toUpperCase());
    expect(await verify(bob, await rig.codeTo(email.toUpperCase()))).toMatchObject({ userId: 0n, errorCode: "taken" });
    expect(await rig.find(bob.userId)).toMatchObject({ verifiedEmail: "" });
  });
});

test("another address is not verified; the same in other case stays", async () => {
  const { userId, caller, email } = await rig.verifiedUser();
  const change = (text: string) => rig.edgehelm.call(caller, rpc.updateUserInfo, { fullname: "Ada", email: text });
  await change(email.toUpperCase());
  expect(await rig.find(userId)).toMatchObject({ verifiedEmail: email });
  await change("other@example.com");
  expect(await rig.find(userId)).toMatchObject({ email: "other@example.com", verifiedEmail: "" });
});

describe("the earlier address gets a mail", () => {
  const SUBJECT = "Another email address was verified for your account";
  const warned = async () => {
    await rig.deliver();
    return rig.mails.filter(({ subject }) => subject === SUBJECT).map(({ user }) => user);
  };

  test("when another one is verified, and not when the same is verified again", async () => {
    const ada = await rig.verifiedUser();
    const before = (await warned()).length;
    await send(ada, ada.email.toUpperCase());
    await verify(ada, await rig.codeTo(ada.email.toUpperCase()));
    expect((await warned()).length).toBe(before);
    await send(ada, "thief2@example.com");
    const code = await rig.codeTo("thief2@example.com");
    expect((await warned()).length).toBe(before);
    await verify(ada, code);
    expect((await warned()).slice(before)).toEqual([ada.email.toUpperCase()]);
    expect(rig.mails.at(-1)!.body).not.toContain("thief2@example.com");
  });

  test("when the address of the account was changed first", async () => {
    const ada = await rig.verifiedUser();
    const before = (await warned()).length;
    await rig.edgehelm.call(ada.caller, rpc.updateUserInfo, { fullname: "Ada", email: "thief3@example.com" });
    await send(ada, "thief3@example.com");
    await verify(ada, await rig.codeTo("thief3@example.com"));
    expect((await warned()).slice(before)).toEqual([ada.email]);
  });
});

test("a token does not suffice to ask for a code: a recent login or the password does", async () => {
  const ada = await rig.newUser();
  rig.clock.advance(601);
  await expect(send(ada, "ask@example.com", "")).rejects.toMatchObject({ reason: "user.old_password_required" });
  await expect(send(ada, "ask@example.com", "wrong password")).rejects.toMatchObject({
    reason: "user.old_password_wrong",
    message: expect.stringMatching(/^password: /),
  });
  await send(ada, "ask@example.com");
  await rig.edgehelm.call(root, rpc.loginUser, { username: ada.username, password: PASSWORD });
  await send(ada, "ask@example.com", "");
});

test("mails are bounded by user and by address, and what is refused is not sent", async () => {
  const [ada, bob] = [await rig.newUser(), await rig.newUser()];
  for (let mail = 0; mail < 5; mail++) await send(ada, "many@example.com");
  await expect(send(ada, "more@example.com")).rejects.toMatchObject({
    reason: "user_email_verification.too_many_of_user",
  });
  await expect(send(bob, "MANY@example.com")).rejects.toMatchObject({
    reason: "user_email_verification.too_many_of_email",
  });
  const before = rig.mails.length;
  await rig.deliver();
  expect(rig.mails.length).toBe(before + 5);
  rig.clock.advance(86_401);
  await send(ada, "more@example.com");
});

test("a wrong address, and an installation without mail, are refused", async () => {
  const ada = await rig.newUser();
  await expect(send(ada, "ada")).rejects.toThrow("email: must be an email address");
  await using other = await MailRig.open({ user_email_verification: { messageMediaInstanceId: "99" } });
  const eve = await other.newUser();
  await expect(other.edgehelm.call(eve.caller, rpc.sendUserEmailVerification, { email: "eve@example.com" }))
    .rejects.toMatchObject({ reason: "user_email_verification.no_mail" });
});

test("only users ask", async () => {
  await expect(rig.edgehelm.call(root, rpc.sendUserEmailVerification, { email: "a@example.com" }))
    .rejects.toMatchObject({ code: 403 });
});
