import { definePlugin, unixSeconds } from "edgehelm";
import { TestClock, testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import type { OutgoingMessage } from "../../../plugins/message_media/contract.ts";
import { MessageTasks } from "../../../plugins/message_task/contract.ts";
import { admin, instanceOf, messagePlugins, messageStubs, outcome, rpc, type Send } from "./message_rig.ts";

const SECRET = "12345678";

/** Opens a kernel in which a plugin queues a message with a secret that expires after ten minutes. */
async function open(send: Send) {
  const sent: OutgoingMessage[] = [];
  const clock = new TestClock();
  let put!: (instanceId: bigint) => Promise<bigint>;
  let mailInstance!: (chosenId: bigint) => Promise<bigint | undefined>;
  const asker = definePlugin({
    manifest: { name: "asker", version: "1.0.0", kernel: "^1", services: [], tables: [] },
    requires: { tasks: MessageTasks },
    setup({ deps: { tasks } }) {
      const call = () => edgehelm.kernel.systemCall("asker");
      put = (messageMediaInstanceId) =>
        call().transact((inner) =>
          tasks.create(inner, {
            ...{ messageRecipientId: 0n, messageMediaInstanceId, user: "ada@example.com", subject: "Your code" },
            ...{ body: `The code is ${SECRET}.`, isPrimary: true },
            confidential: { secret: SECRET, expiresAt: unixSeconds(clock) + 600n },
          })
        );
      mailInstance = (chosenId) => tasks.mailInstance(call(), chosenId);
    },
  });
  const plugins = [
    ...messagePlugins((message) => {
      sent.push(message);
      return send(message);
    }),
    asker,
  ];
  const edgehelm = await testKernel({ plugins, stubs: messageStubs, clock });
  return {
    edgehelm,
    clock,
    sent,
    put,
    mailInstance,
    run: () => edgehelm.kernel.runJob("message_task.send"),
    find: async (messageTaskId: bigint) =>
      (await edgehelm.call(admin, rpc.findEnabledMessageTask, { messageTaskId })).messageTask!,
    [Symbol.asyncDispose]: () => edgehelm[Symbol.asyncDispose](),
  };
}

test("the receiver gets the secret, and no other reader sees it, before and after", async () => {
  await using rig = await open(({ body }) => Promise.resolve(outcome({ response: `250 took: ${body}` })));
  const instanceId = await instanceOf(rig.edgehelm);
  const id = await rig.put(instanceId);
  expect(await rig.find(id)).toMatchObject({ status: 0, body: "The code is ******." });
  await rig.run();
  expect(rig.sent.map(({ body }) => body)).toEqual([`The code is ${SECRET}.`]);
  const after = await rig.find(id);
  expect(after).toMatchObject({
    status: 2,
    body: "The code is ******.",
    result: { response: expect.stringMatching(/\*{6}/) },
  });
  expect(JSON.stringify(after, (_key, value) => typeof value === "bigint" ? String(value) : value)).not.toMatch(SECRET);
});

test("one that was sent is not queued again, since its text is gone; one that waits may be", async () => {
  await using rig = await open(() => Promise.resolve(outcome()));
  const id = await rig.put(await instanceOf(rig.edgehelm));
  await rig.edgehelm.call(admin, rpc.updateMessageTaskStatus, { messageTaskId: id, status: 0 });
  await rig.run();
  expect(rig.sent).toHaveLength(1);
  await expect(rig.edgehelm.call(admin, rpc.updateMessageTaskStatus, { messageTaskId: id, status: 0 }))
    .rejects.toMatchObject({ reason: "message_task.text_emptied" });
});

test("the same message is queued each time, whatever the hashLife of the instance", async () => {
  await using rig = await open(() => Promise.resolve(outcome()));
  const instanceId = await instanceOf(rig.edgehelm, { hashLife: 3600 });
  expect([await rig.put(instanceId), await rig.put(instanceId)]).not.toContain(0n);
});

test("one that expires before it is sent has failed, and is not sent later", async () => {
  await using rig = await open(() => Promise.resolve(outcome()));
  const id = await rig.put(await instanceOf(rig.edgehelm));
  rig.clock.advance(601);
  await rig.run();
  expect(await rig.find(id)).toMatchObject({ status: 3, result: { error: expect.stringMatching(/expired/) } });
  expect(rig.sent).toEqual([]);
});

test("an attempt is repeated until the message would be of no use", async () => {
  await using rig = await open(() => Promise.resolve(outcome({ isOk: false, error: "away", isRetryable: true })));
  const id = await rig.put(await instanceOf(rig.edgehelm));
  await rig.run();
  expect(await rig.find(id)).toMatchObject({ status: 0, attempts: 1 });
  rig.clock.advance(61);
  await rig.run();
  expect(await rig.find(id)).toMatchObject({ status: 0, attempts: 2 });
  rig.clock.advance(301);
  await rig.run();
  expect(await rig.find(id)).toMatchObject({ status: 3, attempts: 3, result: { error: "away" } });
});

test("mail goes through the chosen instance, otherwise the first that is turned on", async () => {
  await using rig = await open(() => Promise.resolve(outcome()));
  expect(await rig.mailInstance(0n)).toBeUndefined();
  const other = await instanceOf(rig.edgehelm);
  expect(await rig.mailInstance(0n)).toBeUndefined();
  expect(await rig.mailInstance(other)).toBe(other);
  expect(await rig.mailInstance(99n)).toBeUndefined();
});
