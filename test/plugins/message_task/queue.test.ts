import { describe, expect, test } from "vitest";
import { admin, bytes, instanceOf, recipientOf, rpc } from "./message_rig.ts";
import { deliver, openRig } from "./rig.ts";

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
    // instances do not wait for each other
    expect(rig.sent.map(({ subject }) => subject).sort()).toEqual(["a", "b", "free"]);
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
    const { messageTask } = await rig.edgehelm.call(admin, rpc.findEnabledMessageTask, { messageTaskId });
    expect(messageTask?.result?.error).toBe("outcome unknown: the server stopped while it sent the message");
  });

  test("sends such a message again if the setting says so, up to six times", async () => {
    await using rig = await openRig(deliver, { config: { repeatUnknown: true } });
    const messageMediaInstanceId = await instanceOf(rig.edgehelm);
    const messageTaskId = await rig.put({ messageMediaInstanceId, user: "u", subject: "stuck" });
    for (const expected of [1, 2, 3, 3]) {
      await rig.edgehelm.call(admin, rpc.updateMessageTaskStatus, { messageTaskId, status: 1 });
      rig.clock.advance(299);
      await rig.run("send");
      expect(await rig.list(1)).toEqual(["stuck"]);
      rig.clock.advance(2);
      await rig.run("send");
      expect(rig.sent.length).toBe(expected);
    }
    expect(await rig.list(3)).toEqual(["stuck"]);
  });

  test("sends such a message again with the same id if its receiver notices repetitions, up to six times", async () => {
    await using rig = await openRig(deliver, { noticesRepetitions: true });
    const messageMediaInstanceId = await instanceOf(rig.edgehelm);
    const messageTaskId = await rig.put({ messageMediaInstanceId, user: "u", subject: "stuck" });
    const interrupt = () => rig.edgehelm.call(admin, rpc.updateMessageTaskStatus, { messageTaskId, status: 1 });
    await interrupt();
    rig.clock.advance(301);
    await rig.run("send");
    expect(rig.sent.map(({ id }) => id)).toEqual([`message-${messageTaskId}`]);
    expect(await rig.list(2)).toEqual(["stuck"]);
    for (let attempt = 3; attempt <= 6; attempt += 2) {
      await interrupt();
      rig.clock.advance(301);
      await rig.run("send");
      expect(rig.sent.length).toBe((attempt + 1) / 2);
    }
    await interrupt();
    rig.clock.advance(301);
    await rig.run("send");
    expect(rig.sent.length).toBe(3);
    expect(await rig.list(3)).toEqual(["stuck"]);
  });
});
