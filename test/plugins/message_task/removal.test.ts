import { describe, expect, test } from "vitest";
import { admin, instanceOf, recipientOf, rpc } from "./message_rig.ts";
import { count, deliver, openRig } from "./rig.ts";

describe("the queue", () => {
  test("drops undeliverable messages, from lists immediately and from counts by a job", async () => {
    await using rig = await openRig(deliver);
    const { edgehelm } = rig;
    const [one, two] = [await instanceOf(edgehelm), await instanceOf(edgehelm)];
    const recipient = await recipientOf(edgehelm, two);
    await rig.put({ messageMediaInstanceId: one, user: "u", subject: "off instance" });
    const messageTaskId = await rig.put({ messageRecipientId: recipient, subject: "deleted recipient" });
    await rig.put({ messageMediaInstanceId: two, user: "u", subject: "stays" });
    const update = { messageMediaInstanceId: one, name: "x", mediaType: "test" };
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
    const update = { messageMediaInstanceId: instance, name: "x", mediaType: "test" };
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
