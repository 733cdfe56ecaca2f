import type { TestClock, TestKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import type { OutgoingMessage } from "../../../plugins/message_media/contract.ts";
import { admin, bytes, instanceOf, messageKernel, recipientOf, rpc } from "./message_rig.ts";

type Status = 0 | 1 | 2 | 3;

interface Rig extends AsyncDisposable {
  readonly edgehelm: TestKernel;
  readonly clock: TestClock;
  readonly sent: OutgoingMessage[];
  put(more: object): Promise<bigint>;
  /** Subjects of the messages with a status, in order. */
  list(status: Status): Promise<string[]>;
  run(job: "send" | "clean"): Promise<void>;
}

async function rig(send?: (message: OutgoingMessage) => Promise<string>): Promise<Rig> {
  const sent: OutgoingMessage[] = [];
  const { edgehelm, clock } = await messageKernel(
    send && ((message) => {
      sent.push(message);
      return send(message);
    }),
  );
  return {
    edgehelm,
    clock,
    sent,
    put: async (more) => (await edgehelm.call(admin, rpc.createMessageTask, { subject: "s", ...more })).messageTaskId,
    async list(status: Status) {
      const { messageTasks } = await edgehelm.call(admin, rpc.listMessageTasksWithStatus, { status, size: 1000n });
      return messageTasks.map(({ subject }) => subject);
    },
    run: (job) => edgehelm.kernel.runJob(`message_task.${job}`),
    [Symbol.asyncDispose]: () => edgehelm[Symbol.asyncDispose](),
  };
}

const taken = () => Promise.resolve("250 ok");
const count = async ({ edgehelm }: Rig, status: Status) =>
  Number((await edgehelm.call(admin, rpc.countMessageTasksWithStatus, { status })).count);

test("a message waits, is sent once, and shows what came of it", async () => {
  await using own = await rig(({ subject }) =>
    subject === "refused" ? Promise.reject(new Error("550 no such user")) : taken()
  );
  const { edgehelm, clock } = own;
  const messageMediaInstanceId = await instanceOf(edgehelm);
  const messageRecipientId = await recipientOf(edgehelm, messageMediaInstanceId);
  const first = await own.put({ messageRecipientId, subject: "first", body: "text" });
  await own.put({ messageMediaInstanceId, user: "bob", subject: "refused" });
  await own.put({ messageMediaInstanceId, user: "bob", subject: "urgent", isPrimary: true });
  expect(await own.list(0)).toEqual(["urgent", "first", "refused"]);
  expect(await count(own, 0)).toBe(3);
  await Promise.all([own.run("send"), own.run("send")]);
  expect(own.sent.map(({ subject, user }) => `${subject} to ${user}`))
    .toEqual(["urgent to bob", "first to ops", "refused to bob"]);
  expect(new TextDecoder().decode(own.sent[0]!.paramsJSON)).toBe('{"url":"https://hook.test/"}');
  expect([await own.list(0), await own.list(2), await own.list(3)]).toEqual([[], ["urgent", "first"], ["refused"]]);
  const { messageTask } = await edgehelm.call(admin, rpc.findEnabledMessageTask, { messageTaskId: first });
  const now = BigInt(Math.floor(clock.now() / 1000));
  expect(messageTask).toMatchObject({
    status: 2,
    user: "ops",
    body: "text",
    sentAt: now,
    result: { isOk: true, response: "250 ok", error: "" },
    messageRecipient: { id: messageRecipientId, admin: { username: "admin1" } },
    messageMediaInstance: { id: messageMediaInstanceId, messageMedia: { type: "webHook" } },
  });
  expect([await count(own, 0), await count(own, 2), await count(own, 3)]).toEqual([0, 2, 1]);
  await edgehelm.call(admin, rpc.updateMessageTaskStatus, { messageTaskId: first, status: 0 });
  await own.run("send");
  expect(own.sent.length).toBe(4);
  await edgehelm.call(admin, rpc.deleteMessageTask, { messageTaskId: first });
  expect(await count(own, 2)).toBe(1);
  await expect(edgehelm.call(admin, rpc.deleteMessageTask, { messageTaskId: first })).rejects.toMatchObject({
    code: 404,
  });
});

test("the same message is not taken again within the instance's hashLife", async () => {
  await using own = await rig();
  const { edgehelm, clock } = own;
  const user = "bob";
  const [byDefault, longer, never] = [
    await instanceOf(edgehelm),
    await instanceOf(edgehelm, { hashLife: 300 }),
    await instanceOf(edgehelm, { hashLife: -1 }),
  ];
  const put = async (messageMediaInstanceId: bigint, more = {}) =>
    await own.put({ messageMediaInstanceId, user, ...more }) !== 0n;
  const each = async () => [await put(byDefault), await put(longer), await put(never)];
  expect(await each()).toEqual([true, true, true]);
  expect(await each()).toEqual([false, false, true]);
  expect(await put(byDefault, { body: "other text" })).toBe(false);
  expect(await put(byDefault, { isPrimary: true })).toBe(true);
  expect(await put(byDefault, { subject: "other" })).toBe(true);
  expect(await put(byDefault, { user: "ada" })).toBe(true);
  clock.advance(61);
  expect(await each()).toEqual([true, false, true]);
});

describe("the line", () => {
  test("keeps to the instance's rate", async () => {
    await using own = await rig(taken);
    const messageMediaInstanceId = await instanceOf(own.edgehelm, { rateJSON: bytes({ minutes: 5, count: 2 }) });
    const other = await instanceOf(own.edgehelm);
    for (const subject of ["a", "b", "c"]) await own.put({ messageMediaInstanceId, user: "u", subject });
    await own.put({ messageMediaInstanceId: other, user: "u", subject: "free" });
    await own.run("send");
    expect(own.sent.map(({ subject }) => subject)).toEqual(["a", "b", "free"]);
    own.clock.advance(299);
    await own.run("send");
    expect(own.sent.length).toBe(3);
    own.clock.advance(2);
    await own.run("send");
    expect(own.sent.at(-1)?.subject).toBe("c");
  });

  test("waits for the recipient's time of day, past midnight too", async () => {
    await using own = await rig(taken);
    const instance = await instanceOf(own.edgehelm);
    const windows = [["", ""], ["11:00", "12:00:00"], ["12:01", ""], ["22:00", "11:59"], ["22:00", "12:30"]] as const;
    for (const [timeFrom, timeTo] of windows) {
      const messageRecipientId = await recipientOf(own.edgehelm, instance, { timeFrom, timeTo });
      await own.put({ messageRecipientId, subject: `${timeFrom}-${timeTo}` });
    }
    await own.run("send");
    expect(own.sent.map(({ subject }) => subject)).toEqual(["-", "11:00-12:00:00", "22:00-12:30"]);
    own.clock.advance(3600);
    await own.run("send");
    expect(own.sent.at(-1)?.subject).toBe("12:01-");
    expect(own.sent.length).toBe(4);
  });

  test("gives a message up that was being sent when the server stopped", async () => {
    await using own = await rig(taken);
    const messageMediaInstanceId = await instanceOf(own.edgehelm);
    const messageTaskId = await own.put({ messageMediaInstanceId, user: "u", subject: "stuck" });
    await own.edgehelm.call(admin, rpc.updateMessageTaskStatus, { messageTaskId, status: 1 });
    await own.run("send");
    expect(await own.list(1)).toEqual(["stuck"]);
    own.clock.advance(301);
    await own.run("send");
    expect(await own.list(3)).toEqual(["stuck"]);
    expect(own.sent).toEqual([]);
  });

  test("drops what has nowhere to go any more, at once from lists and soon from counts", async () => {
    await using own = await rig(taken);
    const { edgehelm } = own;
    const [one, two] = [await instanceOf(edgehelm), await instanceOf(edgehelm)];
    const recipient = await recipientOf(edgehelm, two);
    await own.put({ messageMediaInstanceId: one, user: "u", subject: "off instance" });
    const messageTaskId = await own.put({ messageRecipientId: recipient, subject: "gone recipient" });
    await own.put({ messageMediaInstanceId: two, user: "u", subject: "stays" });
    const update = { messageMediaInstanceId: one, name: "x", mediaType: "webHook" };
    await edgehelm.call(admin, rpc.updateMessageMediaInstance, { ...update, isOn: false });
    await edgehelm.call(admin, rpc.deleteMessageRecipient, { messageRecipientId: recipient });
    expect(await own.list(0)).toEqual(["stays"]);
    expect((await edgehelm.call(admin, rpc.findEnabledMessageTask, { messageTaskId })).messageTask).toBeUndefined();
    await own.run("clean");
    expect(await count(own, 0)).toBe(1);
    await own.run("send");
    expect(own.sent.map(({ subject }) => subject)).toEqual(["stays"]);
    await expect(own.put({ messageMediaInstanceId: one, user: "u" })).rejects.toMatchObject({ code: 409 });
  });

  test("keeps what was turned off and on again before it was cleaned", async () => {
    await using own = await rig();
    const instance = await instanceOf(own.edgehelm);
    await own.put({ messageMediaInstanceId: instance, user: "u", subject: "kept" });
    const update = { messageMediaInstanceId: instance, name: "x", mediaType: "webHook" };
    await own.edgehelm.call(admin, rpc.updateMessageMediaInstance, { ...update, isOn: false });
    await own.edgehelm.call(admin, rpc.updateMessageMediaInstance, { ...update, isOn: true });
    await own.run("clean");
    expect(await own.list(0)).toEqual(["kept"]);
  });

  test("forgets messages after thirty days", async () => {
    await using own = await rig();
    const messageMediaInstanceId = await instanceOf(own.edgehelm);
    await own.put({ messageMediaInstanceId, user: "u", subject: "old" });
    own.clock.advance(29 * 86_400);
    await own.put({ messageMediaInstanceId, user: "u", subject: "young" });
    own.clock.advance(86_400 + 1);
    await own.run("clean");
    expect(await own.list(0)).toEqual(["young"]);
    expect(await count(own, 0)).toBe(1);
  });
});

describe("without a way out", () => {
  test("messages wait, and sending at once is unavailable", async () => {
    await using own = await rig();
    const messageMediaInstanceId = await instanceOf(own.edgehelm);
    await own.put({ messageMediaInstanceId, user: "u" });
    await own.run("send");
    expect(await own.list(0)).toEqual(["s"]);
    const message = { messageMediaInstanceId, user: "u", subject: "now" };
    await expect(own.edgehelm.call(admin, rpc.sendMessageTask, message)).rejects.toMatchObject({ code: 503 });
  });
});

test("sendMessageTask sends past the line and tells what came of it", async () => {
  await using own = await rig(({ user }) => user === "u" ? taken() : Promise.reject(new Error("unknown user")));
  const messageMediaInstanceId = await instanceOf(own.edgehelm);
  const send = (user: string) =>
    own.edgehelm.call(admin, rpc.sendMessageTask, { messageMediaInstanceId, user, subject: "now" });
  expect(await send("u")).toMatchObject({ isOk: true, response: "250 ok" });
  expect(await send("x")).toMatchObject({ isOk: false, error: "unknown user" });
});

test("createMessageTask needs a target, a subject and known numbers", async () => {
  await using own = await rig();
  const messageMediaInstanceId = await instanceOf(own.edgehelm);
  for (
    const [field, wrong] of [
      ["messageMediaInstanceId", {}],
      ["messageMediaInstanceId", { messageMediaInstanceId: 99n, user: "u" }],
      ["messageRecipientId", { messageRecipientId: 99n }],
      ["user", { messageMediaInstanceId }],
      ["subject", { messageMediaInstanceId, user: "u", subject: " " }],
    ] as const
  ) {
    await expect(own.put(wrong)).rejects.toMatchObject({ code: 400, message: expect.stringMatching(`^${field}: `) });
  }
});
