import { expect, test } from "vitest";
import { admin, instanceOf, outcome, rpc } from "./message_rig.ts";
import { deliver, openRig, refuse } from "./rig.ts";

const MINUTE = 60;
const away = (retryAfterSeconds = 0) =>
  Promise.resolve(outcome({ isOk: false, error: "451 try later", response: "", isRetryable: true, retryAfterSeconds }));

test("an attempt that may succeed later is repeated with growing waits, and given up after the last one", async () => {
  await using rig = await openRig(() => away());
  const messageTaskId = await rig.put({ messageMediaInstanceId: await instanceOf(rig.edgehelm), user: "u" });
  const find = async () => (await rig.edgehelm.call(admin, rpc.findEnabledMessageTask, { messageTaskId })).messageTask!;
  const waits = [1, 5, 15, 60, 180, 480];
  for (const [index, minutes] of waits.entries()) {
    await rig.run("send");
    const sentAt = BigInt(Math.floor(rig.clock.now() / 1000));
    expect(await find()).toMatchObject({
      status: 0,
      attempts: index + 1,
      sentAt,
      nextAttemptAt: sentAt + BigInt(minutes * MINUTE),
      result: { isOk: false, error: "451 try later" },
    });
    rig.clock.advance(minutes * MINUTE - 1);
    await rig.run("send");
    expect(rig.sent.length).toBe(index + 1);
    rig.clock.advance(1);
  }
  await rig.run("send");
  expect(await find()).toMatchObject({ status: 3, attempts: 7, nextAttemptAt: 0n });
  rig.clock.advance(86_400);
  await rig.run("send");
  expect(rig.sent.length).toBe(7);
  // each attempt has the same id, so that a receiver notices a repetition
  expect(new Set(rig.sent.map(({ id }) => id)).size).toBe(1);
});

test("what the provider refuses for good is not repeated", async () => {
  await using rig = await openRig(() => refuse("550 no such user"));
  await rig.put({ messageMediaInstanceId: await instanceOf(rig.edgehelm), user: "u" });
  await rig.run("send");
  rig.clock.advance(86_400);
  await rig.run("send");
  expect(rig.sent.length).toBe(1);
  expect(await rig.list(3)).toEqual(["s"]);
});

test("a provider that asks for a longer wait gets it", async () => {
  await using rig = await openRig(() => away(600));
  await rig.put({ messageMediaInstanceId: await instanceOf(rig.edgehelm), user: "u" });
  await rig.run("send");
  rig.clock.advance(599);
  await rig.run("send");
  expect(rig.sent.length).toBe(1);
  rig.clock.advance(1);
  await rig.run("send");
  expect(rig.sent.length).toBe(2);
});

test("an instance whose provider is away is left alone until the next run, and holds up no other one", async () => {
  await using rig = await openRig(({ user }) => user === "down" ? away() : deliver());
  const [down, up] = [await instanceOf(rig.edgehelm), await instanceOf(rig.edgehelm)];
  for (const subject of ["a", "b", "c"]) {
    await rig.put({ messageMediaInstanceId: down, user: "down", subject });
    await rig.put({ messageMediaInstanceId: up, user: "up", subject });
  }
  await rig.run("send");
  expect(rig.sent.map(({ user, subject }) => `${user} ${subject}`).sort()).toEqual(["down a", "up a", "up b", "up c"]);
  await rig.run("send");
  expect(rig.sent.at(-1)).toMatchObject({ user: "down", subject: "b" });
});

test("a failed message that is queued again has all of its attempts", async () => {
  let isAway = true;
  await using rig = await openRig(() => isAway ? refuse("554") : deliver());
  const messageTaskId = await rig.put({ messageMediaInstanceId: await instanceOf(rig.edgehelm), user: "u" });
  await rig.run("send");
  isAway = false;
  await rig.edgehelm.call(admin, rpc.updateMessageTaskStatus, { messageTaskId, status: 0 });
  await rig.run("send");
  const { messageTask } = await rig.edgehelm.call(admin, rpc.findEnabledMessageTask, { messageTaskId });
  expect(messageTask).toMatchObject({ status: 2, attempts: 1, result: { isOk: true } });
});
