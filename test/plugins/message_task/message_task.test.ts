import type { TestClock, TestKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import type { OutgoingMessage } from "../../../plugins/message_media/contract.ts";
import { admin, bytes, instanceOf, messageKernel, recipientOf, rpc } from "./message_rig.ts";

type Status = 0 | 1 | 2 | 3;

interface Rig extends AsyncDisposable {
  readonly edgehelm: TestKernel;
  readonly clock: TestClock;
  readonly sent: OutgoingMessage[];
  put(overrides: object): Promise<bigint>;
  /** Subjects of the messages with a status, in order. */
  list(status: Status): Promise<string[]>;
  run(job: "send" | "clean"): Promise<void>;
}

async function openRig(send?: (message: OutgoingMessage) => Promise<string>): Promise<Rig> {
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
    put: async (overrides) =>
      (await edgehelm.call(admin, rpc.createMessageTask, { subject: "s", ...overrides })).messageTaskId,
    async list(status: Status) {
      const { messageTasks } = await edgehelm.call(admin, rpc.listMessageTasksWithStatus, { status, size: 1000n });
      return messageTasks.map(({ subject }) => subject);
    },
    run: (job) => edgehelm.kernel.runJob(`message_task.${job}`),
    [Symbol.asyncDispose]: () => edgehelm[Symbol.asyncDispose](),
  };
}

const deliver = () => Promise.resolve("250 ok");
const count = async ({ edgehelm }: Rig, status: Status) =>
  Number((await edgehelm.call(admin, rpc.countMessageTasksWithStatus, { status })).count);

test("a message is queued, sent once, and returned with the result", async () => {
  await using rig = await openRig(({ subject }) =>
    subject === "refused" ? Promise.reject(new Error("550 no such user")) : deliver()
  );
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
    messageMediaInstance: { id: messageMediaInstanceId, messageMedia: { type: "webHook" } },
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

test("the same message is not queued again within the hashLife of the instance", async () => {
  await using rig = await openRig();
  const { edgehelm, clock } = rig;
  const user = "bob";
  const [byDefault, longer, never] = [
    await instanceOf(edgehelm),
    await instanceOf(edgehelm, { hashLife: 300 }),
    await instanceOf(edgehelm, { hashLife: -1 }),
  ];
  const put = async (messageMediaInstanceId: bigint, overrides = {}) =>
    await rig.put({ messageMediaInstanceId, user, ...overrides }) !== 0n;
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

describe("the queue", () => {
  test("respects the rate limit of the instance", async () => {
    await using rig = await openRig(deliver);
    const messageMediaInstanceId = await instanceOf(rig.edgehelm, { rateJSON: bytes({ minutes: 5, count: 2 }) });
    const other = await instanceOf(rig.edgehelm);
    for (const subject of ["a", "b", "c"]) await rig.put({ messageMediaInstanceId, user: "u", subject });
    await rig.put({ messageMediaInstanceId: other, user: "u", subject: "free" });
    await rig.run("send");
    expect(rig.sent.map(({ subject }) => subject)).toEqual(["a", "b", "free"]);
    rig.clock.advance(299);
    await rig.run("send");
    expect(rig.sent.length).toBe(3);
    rig.clock.advance(2);
    await rig.run("send");
    expect(rig.sent.at(-1)?.subject).toBe("c");
  });

  test("sends within the recipient's time of day, also past midnight", async () => {
    await using rig = await openRig(deliver);
    const instance = await instanceOf(rig.edgehelm);
    const windows = [["", ""], ["11:00", "12:00:00"], ["12:01", ""], ["22:00", "11:59"], ["22:00", "12:30"]] as const;
    for (const [timeFrom, timeTo] of windows) {
      const messageRecipientId = await recipientOf(rig.edgehelm, instance, { timeFrom, timeTo });
      await rig.put({ messageRecipientId, subject: `${timeFrom}-${timeTo}` });
    }
    await rig.run("send");
    expect(rig.sent.map(({ subject }) => subject)).toEqual(["-", "11:00-12:00:00", "22:00-12:30"]);
    rig.clock.advance(3600);
    await rig.run("send");
    expect(rig.sent.at(-1)?.subject).toBe("12:01-");
    expect(rig.sent.length).toBe(4);
  });

  test("marks a message as failed that was being sent when the server stopped", async () => {
    await using rig = await openRig(deliver);
    const messageMediaInstanceId = await instanceOf(rig.edgehelm);
    const messageTaskId = await rig.put({ messageMediaInstanceId, user: "u", subject: "stuck" });
    await rig.edgehelm.call(admin, rpc.updateMessageTaskStatus, { messageTaskId, status: 1 });
    await rig.run("send");
    expect(await rig.list(1)).toEqual(["stuck"]);
    rig.clock.advance(301);
    await rig.run("send");
    expect(await rig.list(3)).toEqual(["stuck"]);
    expect(rig.sent).toEqual([]);
  });

  test("drops undeliverable messages, from lists immediately and from counts by a job", async () => {
    await using rig = await openRig(deliver);
    const { edgehelm } = rig;
    const [one, two] = [await instanceOf(edgehelm), await instanceOf(edgehelm)];
    const recipient = await recipientOf(edgehelm, two);
    await rig.put({ messageMediaInstanceId: one, user: "u", subject: "off instance" });
    const messageTaskId = await rig.put({ messageRecipientId: recipient, subject: "deleted recipient" });
    await rig.put({ messageMediaInstanceId: two, user: "u", subject: "stays" });
    const update = { messageMediaInstanceId: one, name: "x", mediaType: "webHook" };
    await edgehelm.call(admin, rpc.updateMessageMediaInstance, { ...update, isOn: false });
    await edgehelm.call(admin, rpc.deleteMessageRecipient, { messageRecipientId: recipient });
    expect(await rig.list(0)).toEqual(["stays"]);
    expect((await edgehelm.call(admin, rpc.findEnabledMessageTask, { messageTaskId })).messageTask).toBeUndefined();
    await rig.run("clean");
    expect(await count(rig, 0)).toBe(1);
    await rig.run("send");
    expect(rig.sent.map(({ subject }) => subject)).toEqual(["stays"]);
    await expect(rig.put({ messageMediaInstanceId: one, user: "u" })).rejects.toMatchObject({ code: 409 });
  });

  test("keeps messages whose instance is turned on again before the job runs", async () => {
    await using rig = await openRig();
    const instance = await instanceOf(rig.edgehelm);
    await rig.put({ messageMediaInstanceId: instance, user: "u", subject: "kept" });
    const update = { messageMediaInstanceId: instance, name: "x", mediaType: "webHook" };
    await rig.edgehelm.call(admin, rpc.updateMessageMediaInstance, { ...update, isOn: false });
    await rig.edgehelm.call(admin, rpc.updateMessageMediaInstance, { ...update, isOn: true });
    await rig.run("clean");
    expect(await rig.list(0)).toEqual(["kept"]);
  });

  test("deletes messages after 30 days", async () => {
    await using rig = await openRig();
    const messageMediaInstanceId = await instanceOf(rig.edgehelm);
    await rig.put({ messageMediaInstanceId, user: "u", subject: "old" });
    rig.clock.advance(29 * 86_400);
    await rig.put({ messageMediaInstanceId, user: "u", subject: "recent" });
    rig.clock.advance(86_400 + 1);
    await rig.run("clean");
    expect(await rig.list(0)).toEqual(["recent"]);
    expect(await count(rig, 0)).toBe(1);
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
  await using rig = await openRig(({ user }) => user === "u" ? deliver() : Promise.reject(new Error("unknown user")));
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
