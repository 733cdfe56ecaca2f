import { describe, expect, test } from "vitest";
import { admin, instanceOf, recipientOf, rpc } from "./message_rig.ts";
import { count, deliver, openRig, refuse } from "./rig.ts";

test("a message is queued, sent once, and returned with the result", async () => {
  await using rig = await openRig(({ subject }) => subject === "refused" ? refuse("550 no such user") : deliver());
  const { edgehelm, clock } = rig;
  const messageMediaInstanceId = await instanceOf(edgehelm);
  const messageRecipientId = await recipientOf(edgehelm, messageMediaInstanceId);
  const first = await rig.put({ messageRecipientId, subject: "first", body: "text" });
  await rig.put({ messageMediaInstanceId, user: "bob", subject: "refused" });
  await rig.put({ messageMediaInstanceId, user: "bob", subject: "urgent", isPrimary: true });
  expect(await rig.list(0)).toEqual(["urgent", "first", "refused"]);
  expect(await count(rig, 0)).toBe(3);
  await Promise.all([rig.run("send"), rig.run("send")]);
  expect(rig.sent.map(({ subject, user }) => `${subject} to ${user}`))
    .toEqual(["urgent to bob", "first to ops", "refused to bob"]);
  expect(new TextDecoder().decode(rig.sent[0]!.paramsJSON)).toBe('{"url":"https://hook.test/"}');
  expect([await rig.list(0), await rig.list(2), await rig.list(3)]).toEqual([[], ["urgent", "first"], ["refused"]]);
  const { messageTask } = await edgehelm.call(admin, rpc.findEnabledMessageTask, { messageTaskId: first });
  const now = BigInt(Math.floor(clock.now() / 1000));
  expect(messageTask).toMatchObject({
    status: 2,
    user: "ops",
    body: "text",
    sentAt: now,
    result: { isOk: true, response: "250 ok", error: "" },
    messageRecipient: { id: messageRecipientId, admin: { username: "admin1" } },
    messageMediaInstance: { id: messageMediaInstanceId, messageMedia: { type: "test" } },
  });
  expect([await count(rig, 0), await count(rig, 2), await count(rig, 3)]).toEqual([0, 2, 1]);
  await edgehelm.call(admin, rpc.updateMessageTaskStatus, { messageTaskId: first, status: 0 });
  await rig.run("send");
  expect(rig.sent.length).toBe(4);
  await edgehelm.call(admin, rpc.deleteMessageTask, { messageTaskId: first });
  expect(await count(rig, 2)).toBe(1);
  await expect(edgehelm.call(admin, rpc.deleteMessageTask, { messageTaskId: first })).rejects.toMatchObject({
    code: 404,
  });
});

describe("without a message transport", () => {
  test("messages stay queued, and sendMessageTask is unavailable", async () => {
    await using rig = await openRig();
    const messageMediaInstanceId = await instanceOf(rig.edgehelm);
    await rig.put({ messageMediaInstanceId, user: "u" });
    await rig.run("send");
    expect(await rig.list(0)).toEqual(["s"]);
    const message = { messageMediaInstanceId, user: "u", subject: "now" };
    await expect(rig.edgehelm.call(admin, rpc.sendMessageTask, message)).rejects.toMatchObject({ code: 503 });
  });
});

test("sendMessageTask bypasses the queue and returns the result", async () => {
  await using rig = await openRig(({ user }) => user === "u" ? deliver() : refuse("unknown user"));
  const messageMediaInstanceId = await instanceOf(rig.edgehelm);
  const send = (user: string) =>
    rig.edgehelm.call(admin, rpc.sendMessageTask, { messageMediaInstanceId, user, subject: "now" });
  expect(await send("u")).toMatchObject({ isOk: true, response: "250 ok" });
  expect(await send("x")).toMatchObject({ isOk: false, error: "unknown user" });
});

test("createMessageTask requires a target, a subject and existing ids", async () => {
  await using rig = await openRig();
  const messageMediaInstanceId = await instanceOf(rig.edgehelm);
  for (
    const [field, wrong] of [
      ["messageMediaInstanceId", {}],
      ["messageMediaInstanceId", { messageMediaInstanceId: 99n, user: "u" }],
      ["messageRecipientId", { messageRecipientId: 99n }],
      ["user", { messageMediaInstanceId }],
      ["subject", { messageMediaInstanceId, user: "u", subject: " " }],
    ] as const
  ) {
    await expect(rig.put(wrong)).rejects.toMatchObject({ code: 400, message: expect.stringMatching(`^${field}: `) });
  }
});
