import type { TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { admin, bytes, instanceOf, messageKernel, recipientOf, rpc } from "../message_task/message_rig.ts";

let edgehelm: TestKernel;
let hook: bigint;
beforeAll(async () => {
  ({ edgehelm } = await messageKernel());
  hook = await instanceOf(edgehelm);
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function group(name: string): Promise<bigint> {
  return (await edgehelm.call(admin, rpc.createMessageRecipientGroup, { name })).messageRecipientGroupId;
}

async function find(messageRecipientId: bigint) {
  return (await edgehelm.call(admin, rpc.findEnabledMessageRecipient, { messageRecipientId })).messageRecipient;
}

test("an admin creates, updates and deletes recipients in groups", async () => {
  const onCall = await group("on call");
  const more = { messageRecipientGroupIds: [onCall], timeFrom: "08:30", timeTo: "20:00:59", nodeClusterIds: [3n] };
  const messageRecipientId = await recipientOf(edgehelm, hook, { ...more, user: "ada", description: "first" });
  expect(await find(messageRecipientId)).toMatchObject({
    isOn: true,
    user: "ada",
    description: "first",
    timeFrom: "08:30:00",
    timeTo: "20:00:59",
    admin: { id: 1n, username: "admin1" },
    messageMediaInstance: { id: hook, name: "hook", messageMedia: { type: "test" } },
    messageRecipientGroups: [{ id: onCall, name: "on call" }],
  });
  const deletion = { messageRecipientGroupId: onCall };
  await expect(edgehelm.call(admin, rpc.deleteMessageRecipientGroup, deletion))
    .rejects.toMatchObject({ code: 409, message: expect.stringContaining('message recipient "ada"') });
  const update = { messageRecipientId, adminId: 2n, messageMediaInstanceId: hook, user: "bob" };
  await edgehelm.call(admin, rpc.updateMessageRecipient, update);
  expect(await find(messageRecipientId))
    .toMatchObject({ isOn: false, user: "bob", admin: { id: 2n }, messageRecipientGroups: [], timeFrom: "" });
  await edgehelm.call(admin, rpc.updateMessageRecipientGroup, { ...deletion, name: "off call", isOn: false });
  const groups = await edgehelm.call(admin, rpc.findAllEnabledMessageRecipientGroups, {});
  expect(groups.messageRecipientGroups).toMatchObject([{ id: onCall, name: "off call", isOn: false }]);
  await edgehelm.call(admin, rpc.deleteMessageRecipientGroup, deletion);
  expect((await edgehelm.call(admin, rpc.findEnabledMessageRecipientGroup, deletion)).messageRecipientGroup)
    .toBeUndefined();
  await edgehelm.call(admin, rpc.deleteMessageRecipient, { messageRecipientId });
  expect(await find(messageRecipientId)).toBeUndefined();
  await expect(edgehelm.call(admin, rpc.updateMessageRecipient, update)).rejects.toMatchObject({ code: 404 });
});

test("lists filter by admin, media, group and keyword", async () => {
  const mail = await instanceOf(edgehelm, {
    mediaType: "telegram",
    paramsJSON: bytes({ token: "t" }),
  });
  const friends = await group("friends");
  const one = await recipientOf(edgehelm, hook, { adminId: 5n, user: "one" });
  const two = await recipientOf(edgehelm, mail, { adminId: 5n, user: "two", messageRecipientGroupIds: [friends] });
  const three = await recipientOf(edgehelm, mail, { adminId: 6n, description: "ONE more" });
  const list = async (filter: object) => {
    const { messageRecipients } = await edgehelm.call(admin, rpc.listEnabledMessageRecipients, filter);
    expect((await edgehelm.call(admin, rpc.countAllEnabledMessageRecipients, filter)).count)
      .toBe(BigInt(messageRecipients.length));
    return messageRecipients.map(({ id }) => id);
  };
  expect(await list({})).toEqual([three, two, one]);
  expect(await list({ adminId: 5n })).toEqual([two, one]);
  expect(await list({ mediaType: "telegram" })).toEqual([three, two]);
  expect(await list({ mediaType: "email" })).toEqual([]);
  expect(await list({ messageRecipientGroupId: friends })).toEqual([two]);
  expect(await list({ keyword: "one" })).toEqual([three, one]);
  expect(await list({ keyword: "one", adminId: 6n, mediaType: "telegram" })).toEqual([three]);
});

test.each([
  ["adminId", { adminId: 10n }],
  ["messageMediaInstanceId", { messageMediaInstanceId: 999n }],
  ["messageRecipientGroupIds", { messageRecipientGroupIds: [999n] }],
  ["nodeClusterIds", { nodeClusterIds: [10n] }],
  ["user", { user: "" }],
  ["timeFrom", { timeFrom: "24:00" }],
  ["timeTo", { timeTo: "8:30" }],
])("createMessageRecipient refuses a wrong %s", async (field, wrong) => {
  await expect(recipientOf(edgehelm, hook, wrong))
    .rejects.toMatchObject({ code: 400, message: expect.stringMatching(`^${field}`) });
});
