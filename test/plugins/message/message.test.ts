import { as, stub, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import message from "../../../plugins/message/plugin.ts";
import { MessageService } from "../../../plugins/message/proto/service_message_pb.ts";
import { Users } from "../../../plugins/user/contract.ts";
import { WIRES } from "../../harness/wire.ts";
import { Bell } from "./bell.ts";

const rpc = MessageService.method;
const superAdmin = as.admin();
const operator = as.admin(2n);
const user = as.user(7n);

let edgehelm: TestKernel;
let clock: TestClock;
let bell: Bell;
beforeEach(async () => {
  clock = new TestClock();
  bell = new Bell();
  edgehelm = await testKernel({ plugins: [message, bell.plugin], clock, admins: { 2: ["node"], 3: [] } });
  onTestFinished(() => edgehelm[Symbol.asyncDispose]());
});

type Reader = typeof superAdmin | typeof user;

async function subjects(reader: Reader, request: { includeRead?: boolean; offset?: bigint; size?: bigint } = {}) {
  const { messages } = await edgehelm.call(reader, rpc.listUnreadMessages, request);
  return messages.map(({ subject }) => subject);
}

async function count(reader: Reader): Promise<number> {
  return Number((await edgehelm.call(reader, rpc.countUnreadMessages, {})).count);
}

async function idOf(reader: Reader, subject: string): Promise<bigint> {
  const { messages } = await edgehelm.call(reader, rpc.listUnreadMessages, { includeRead: true });
  return messages.find((message) => message.subject === subject)!.id;
}

test("an event becomes a message, with its text and its data", async () => {
  await bell.ring(edgehelm, "rang", { nodeId: 3n, nodeClusterId: 4n });
  for (const wire of WIRES) {
    const { messages } = await edgehelm.call(superAdmin, rpc.listUnreadMessages, {}, wire);
    expect(messages).toMatchObject([{
      type: "bell.rang",
      subject: "node 3 rang",
      body: "in cluster 4",
      level: "warning",
      isRead: false,
      role: "node",
      node: { id: 3n },
      nodeCluster: { id: 4n },
      createdAt: BigInt(Math.floor(clock.now() / 1000)),
    }]);
    expect(JSON.parse(new TextDecoder().decode(messages[0]!.paramsJSON))).toEqual({ nodeId: "3", nodeClusterId: "4" });
  }
});

test("admins see what their modules concern, super admins everything, users what is theirs", async () => {
  await bell.ring(edgehelm, "burned", { nodeId: 1n });
  await bell.ring(edgehelm, "rang", { nodeId: 2n });
  await bell.ring(edgehelm, "sold", { nodeId: 3n }, 7n);
  await bell.ring(edgehelm, "sold", { nodeId: 4n }, 8n);
  await bell.ring(edgehelm, "rang", { nodeId: 5n }, 7n);
  expect(await subjects(superAdmin))
    .toEqual(["node 5 rang", "node 4 sold", "node 3 sold", "node 2 rang", "node 1 burned"]);
  expect(await subjects(operator)).toEqual(["node 5 rang", "node 2 rang"]);
  expect(await subjects(as.admin(3n))).toEqual([]);
  expect(await subjects(user)).toEqual(["node 3 sold"]);
  expect(await subjects(as.user(9n))).toEqual([]);
  expect([await count(superAdmin), await count(operator), await count(user)]).toEqual([5, 2, 1]);
});

describe("reading", () => {
  beforeEach(async () => {
    for (const nodeId of [1n, 2n, 3n]) await bell.ring(edgehelm, "rang", { nodeId });
  });

  test("is kept for each reader", async () => {
    await edgehelm.call(superAdmin, rpc.updateMessageRead, {
      messageId: await idOf(superAdmin, "node 2 rang"),
      isRead: true,
    });
    expect(await subjects(superAdmin)).toEqual(["node 3 rang", "node 1 rang"]);
    expect(await subjects(superAdmin, { includeRead: true })).toEqual(["node 3 rang", "node 2 rang", "node 1 rang"]);
    expect(await count(operator)).toBe(3);
  });

  test("of all ends with what came before, and can be undone for one", async () => {
    await edgehelm.call(operator, rpc.updateAllMessagesRead, {});
    expect(await subjects(operator)).toEqual([]);
    await bell.ring(edgehelm, "rang", { nodeId: 4n });
    expect(await subjects(operator)).toEqual(["node 4 rang"]);
    await edgehelm.call(operator, rpc.updateMessageRead, {
      messageId: await idOf(operator, "node 1 rang"),
      isRead: false,
    });
    expect(await subjects(operator)).toEqual(["node 4 rang", "node 1 rang"]);
    await edgehelm.call(operator, rpc.updateAllMessagesRead, {});
    expect(await count(operator)).toBe(0);
    expect(await count(superAdmin)).toBe(4);
  });

  test("of several happens for all or for none, and never for what the reader may not see", async () => {
    await bell.ring(edgehelm, "burned", { nodeId: 9n });
    const hidden = await idOf(superAdmin, "node 9 burned");
    const own = await idOf(operator, "node 1 rang");
    for (const messageIds of [[own, hidden], [own, 999n]]) {
      await expect(edgehelm.call(operator, rpc.updateMessagesRead, { messageIds, isRead: true }))
        .rejects.toMatchObject({ code: 404, reason: "message.not_found" });
    }
    await expect(edgehelm.call(user, rpc.updateMessageRead, { messageId: own, isRead: true }))
      .rejects.toMatchObject({ code: 404 });
    expect(await count(operator)).toBe(3);
    await edgehelm.call(operator, rpc.updateMessagesRead, { messageIds: [own], isRead: true });
    expect(await count(operator)).toBe(2);
  });
});

test("a user who was deleted before the event is delivered gets no message", async () => {
  const users = { summaries: async () => new Map(), verifiedEmails: async () => new Map() };
  await using installation = await testKernel({ plugins: [message, bell.plugin], stubs: [stub(Users, users)] });
  await bell.ring(installation, "sold", { nodeId: 1n }, 7n);
  const subjectsOf = async (reader: Reader) =>
    (await installation.call(reader, rpc.listUnreadMessages, {})).messages.map(({ subject }) => subject);
  expect(await subjectsOf(superAdmin)).toEqual(["node 1 sold"]);
  expect(await subjectsOf(user)).toEqual([]);
});

test("pages go on where the one before ended", async () => {
  for (let nodeId = 1n; nodeId <= 5n; nodeId++) await bell.ring(edgehelm, "rang", { nodeId });
  expect(await subjects(superAdmin, { offset: 1n, size: 2n })).toEqual(["node 4 rang", "node 3 rang"]);
  await expect(subjects(superAdmin, { size: 1001n })).rejects.toMatchObject({ code: 400 });
});

test("messages are deleted after 90 days, also the notes of who has read them", async () => {
  await bell.ring(edgehelm, "rang", { nodeId: 1n });
  await edgehelm.call(operator, rpc.updateMessageRead, {
    messageId: await idOf(operator, "node 1 rang"),
    isRead: true,
  });
  clock.advance(89 * 86_400);
  await edgehelm.kernel.runJob("message.clean");
  expect((await subjects(superAdmin, { includeRead: true })).length).toBe(1);
  clock.advance(2 * 86_400);
  await edgehelm.kernel.runJob("message.clean");
  expect(await subjects(superAdmin, { includeRead: true })).toEqual([]);
});

test("texts can be Chinese", async () => {
  const ring = new Bell();
  await using chinese = await testKernel({ plugins: [message, ring.plugin], config: { message: { language: "zh" } } });
  await ring.ring(chinese, "rang", { nodeId: 3n });
  const { messages } = await chinese.call(superAdmin, rpc.listUnreadMessages, {});
  expect(messages).toMatchObject([{ subject: "节点 3 rang" }]);
});
