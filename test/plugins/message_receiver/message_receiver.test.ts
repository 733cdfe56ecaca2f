import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import receiver from "../../../plugins/message_receiver/plugin.ts";
import { MessageReceiverService } from "../../../plugins/message_receiver/proto/service_message_receiver_pb.ts";
import taskLog from "../../../plugins/message_task_log/plugin.ts";
import { MessageTaskLogService } from "../../../plugins/message_task_log/proto/service_message_task_log_pb.ts";
import { WIRES } from "../../harness/wire.ts";
import { Bell } from "../message/bell.ts";
import {
  bytes,
  instanceOf,
  messagePlugins,
  messageStubs,
  outcome,
  parsed,
  recipientOf,
  rpc as messages,
  type Send,
} from "../message_task/message_rig.ts";

const rpc = { ...MessageReceiverService.method, ...MessageTaskLogService.method, ...messages };
const admin = as.admin();

let bell: Bell;
let edgehelm: TestKernel;
let instance: bigint;
beforeEach(() => open());

async function open(send: Send = () => Promise.resolve(outcome()), config: object = {}): Promise<void> {
  bell = new Bell();
  edgehelm = await testKernel({
    plugins: [...messagePlugins(send), receiver, taskLog, bell.plugin],
    stubs: messageStubs,
    config: { message_receiver: config as never },
  });
  onTestFinished(() => edgehelm[Symbol.asyncDispose]());
  instance = await instanceOf(edgehelm);
}

/** Returns the queued messages as `subject to user`. */
async function queued(): Promise<string[]> {
  const { messageTasks } = await edgehelm.call(admin, rpc.listMessageTasksWithStatus, { status: 0 });
  return messageTasks.map(({ subject, user }) => `${subject} to ${user}`).sort();
}

function tell(type: string, options: object[], target: object = {}) {
  const recipientOptions = { [type]: { recipientOptions: options } };
  return edgehelm.call(admin, rpc.updateMessageReceivers, { ...target, recipientOptions });
}

test("until somebody says who is told, all recipients hear of errors, and of nothing else", async () => {
  await recipientOf(edgehelm, instance, { user: "ada" });
  await bell.ring(edgehelm, "burned", { nodeId: 1n });
  await bell.ring(edgehelm, "rang", { nodeId: 2n });
  expect(await queued()).toEqual(["node 1 burned to ada"]);
});

test("receivers are told of a kind, of a level, or of everything", async () => {
  const [ada, bob, eve] = [
    await recipientOf(edgehelm, instance, { user: "ada" }),
    await recipientOf(edgehelm, instance, { user: "bob" }),
    await recipientOf(edgehelm, instance, { user: "eve" }),
  ];
  const recipientOptions = Object.fromEntries(
    ([["bell.rang", ada], ["error", bob], ["*", eve]] as const)
      .map(([type, messageRecipientId]) => [type, { recipientOptions: [{ messageRecipientId }] }]),
  );
  await edgehelm.call(admin, rpc.updateMessageReceivers, { recipientOptions, paramsJSON: bytes({ note: 1 }) });
  await bell.ring(edgehelm, "burned", { nodeId: 1n });
  await bell.ring(edgehelm, "rang", { nodeId: 2n });
  await bell.ring(edgehelm, "sold", { nodeId: 3n });
  expect(await queued()).toEqual([
    "node 1 burned to bob",
    "node 1 burned to eve",
    "node 2 rang to ada",
    "node 2 rang to eve",
    "node 3 sold to eve",
  ]);
  for (const wire of WIRES) {
    const { messageReceivers } = await edgehelm.call(admin, rpc.findAllEnabledMessageReceivers, {}, wire);
    expect(messageReceivers.map(({ type, messageRecipient }) => `${type} ${messageRecipient!.user}`).sort())
      .toEqual(["* eve", "bell.rang ada", "error bob"]);
    expect(parsed(messageReceivers[0]!.paramsJSON)).toEqual({ note: 1 });
  }
});

test("a recipient in several receivers hears of an event once", async () => {
  const messageRecipientId = await recipientOf(edgehelm, instance, { user: "ada" });
  const options = { recipientOptions: [{ messageRecipientId }, { messageRecipientId }] };
  await edgehelm.call(admin, rpc.updateMessageReceivers, { recipientOptions: { "bell.rang": options, "*": options } });
  await bell.ring(edgehelm, "rang", { nodeId: 2n });
  expect(await queued()).toEqual(["node 2 rang to ada"]);
});

test("groups are told as they are at the time of the event", async () => {
  const { messageRecipientGroupId } = await edgehelm.call(admin, rpc.createMessageRecipientGroup, { name: "night" });
  const messageRecipientGroupIds = [messageRecipientGroupId];
  await recipientOf(edgehelm, instance, { user: "ada", messageRecipientGroupIds });
  await recipientOf(edgehelm, instance, { user: "bob" });
  await tell("warning", [{ messageRecipientGroupId }]);
  await recipientOf(edgehelm, instance, { user: "eve", messageRecipientGroupIds });
  await bell.ring(edgehelm, "rang", { nodeId: 2n });
  expect(await queued()).toEqual(["node 2 rang to ada", "node 2 rang to eve"]);
  await expect(edgehelm.call(admin, rpc.deleteMessageRecipientGroup, { messageRecipientGroupId }))
    .rejects.toMatchObject({ code: 409 });
});

test("a target limits receivers to a cluster or a node, and recipients to their clusters", async () => {
  const [ada, bob, eve] = [
    await recipientOf(edgehelm, instance, { user: "ada" }),
    await recipientOf(edgehelm, instance, { user: "bob" }),
    await recipientOf(edgehelm, instance, { user: "eve", nodeClusterIds: [2n] }),
  ];
  await tell("*", [{ messageRecipientId: ada }], { role: "node", nodeClusterId: 1n });
  await tell("*", [{ messageRecipientId: bob }], { role: "node", nodeId: 7n });
  await tell("*", [{ messageRecipientId: eve }], { role: "node" });
  await tell("*", [{ messageRecipientId: ada }], { role: "dns" });
  await bell.ring(edgehelm, "rang", { nodeId: 7n, nodeClusterId: 1n });
  await bell.ring(edgehelm, "rang", { nodeId: 8n, nodeClusterId: 2n });
  expect(await queued()).toEqual(["node 7 rang to ada", "node 7 rang to bob", "node 8 rang to eve"]);
});

test("who cannot be reached is left out, and a deleted recipient is no receiver any more", async () => {
  const off = await instanceOf(edgehelm);
  const [ada, bob] = [
    await recipientOf(edgehelm, instance, { user: "ada" }),
    await recipientOf(edgehelm, off, { user: "bob" }),
  ];
  await tell("*", [{ messageRecipientId: ada }, { messageRecipientId: bob }]);
  const update = { messageMediaInstanceId: off, name: "x", mediaType: "test", isOn: false };
  await edgehelm.call(admin, rpc.updateMessageMediaInstance, update);
  await edgehelm.call(admin, rpc.deleteMessageRecipient, { messageRecipientId: ada });
  await bell.ring(edgehelm, "rang", { nodeId: 1n });
  expect(await queued()).toEqual([]);
  expect((await edgehelm.call(admin, rpc.countAllEnabledMessageReceivers, {})).count).toBe(1n);
});

test("updateMessageReceivers replaces those of its target only, and one can be deleted", async () => {
  const messageRecipientId = await recipientOf(edgehelm, instance);
  await tell("error", [{ messageRecipientId }]);
  await tell("*", [{ messageRecipientId }], { role: "dns" });
  await tell("warning", [{ messageRecipientId }]);
  const find = async () => {
    const request = { messageRecipientId };
    return (await edgehelm.call(admin, rpc.findAllEnabledMessageReceiversWithMessageRecipientId, request))
      .messageReceivers;
  };
  expect((await find()).map(({ role, type }) => `${role} ${type}`)).toEqual(["dns *", " warning"]);
  const messageReceiverId = (await find())[0]!.id;
  await edgehelm.call(admin, rpc.deleteMessageReceiver, { messageReceiverId });
  expect((await find()).length).toBe(1);
  await expect(edgehelm.call(admin, rpc.deleteMessageReceiver, { messageReceiverId }))
    .rejects.toMatchObject({ code: 404, reason: "message_receiver.not_found" });
});

test("a cluster or a node without a role is one of edge nodes", async () => {
  const messageRecipientId = await recipientOf(edgehelm, instance);
  await tell("*", [{ messageRecipientId }], { nodeClusterId: 1n });
  for (const role of ["", "node"]) {
    const { messageReceivers } = await edgehelm.call(admin, rpc.findAllEnabledMessageReceivers, {
      ...{ role, nodeClusterId: 1n },
    });
    expect(messageReceivers.map((receiver) => receiver.role), role).toEqual(["node"]);
  }
  const { count } = await edgehelm.call(admin, rpc.countAllEnabledMessageReceivers, {
    ...{ role: "dns", nodeClusterId: 1n },
  });
  expect(count).toBe(0n);
});

describe("updateMessageReceivers refuses", () => {
  const option = (recipientOptions: object[], type = "*") => ({ recipientOptions: { [type]: { recipientOptions } } });
  test.each(
    [
      ["an unknown type", option([{ messageRecipientId: 1n }], "Everything!"), "recipientOptions.Everything!: must be"],
      ["an unknown recipient", option([{ messageRecipientId: 99n }]), "messageRecipientId: message recipient 99"],
      ["an unknown group", option([{ messageRecipientGroupId: 99n }]), "messageRecipientGroupId"],
      ["neither", option([{}]), "messageRecipientGroupId"],
      ["both", option([{ messageRecipientId: 1n, messageRecipientGroupId: 1n }]), "not both"],
      ["another role", { role: "cloud" }, "role: "],
      ["parameters that are no object", { paramsJSON: bytes([1]) }, "paramsJSON"],
    ] as const,
  )("%s", async (_name, request, message) => {
    await expect(edgehelm.call(admin, rpc.updateMessageReceivers, request))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});

test("texts can be those of the installation, with a link to its console", async () => {
  await open(undefined, {
    language: "zh",
    consoleUrl: "https://cdn.test/console/",
    texts: { "bell.burned": { subject: "FIRE at {nodeId}" } },
  });
  await recipientOf(edgehelm, instance, { user: "ada" });
  await bell.ring(edgehelm, "burned", { nodeId: 1n, nodeClusterId: 2n });
  const { messageTasks } = await edgehelm.call(admin, rpc.listMessageTasksWithStatus, { status: 0 });
  expect(messageTasks).toMatchObject([{ subject: "FIRE at 1", body: "集群 2\n\nhttps://cdn.test/console/" }]);
});

test("each attempt to send is kept, with the words of the provider", async () => {
  let isDown = true;
  await open(() =>
    Promise.resolve(isDown ? outcome({ isOk: false, error: "451 later", isRetryable: true }) : outcome())
  );
  const { messageTaskId } = await edgehelm.call(admin, rpc.createMessageTask, {
    messageMediaInstanceId: instance,
    user: "ada",
    subject: "hello",
  });
  await edgehelm.kernel.runJob("message_task.send");
  isDown = false;
  await edgehelm.call(admin, rpc.updateMessageTaskStatus, { messageTaskId, status: 0 });
  await edgehelm.kernel.runJob("message_task.send");
  for (const wire of WIRES) {
    const { messageTaskLogs } = await edgehelm.call(admin, rpc.listMessageTaskLogs, {}, wire);
    expect(messageTaskLogs).toMatchObject([
      { isOk: true, response: "250 ok", messageTask: { id: messageTaskId, subject: "hello" } },
      { isOk: false, error: "451 later", messageTask: { id: messageTaskId } },
    ]);
  }
  expect((await edgehelm.call(admin, rpc.countMessageTaskLogs, {})).count).toBe(2n);
});

test("the kinds of events are listed with their texts, levels and machines", async () => {
  const { messageReceiverTypes: english } = await edgehelm.call(admin, rpc.findAllMessageReceiverTypes, {});
  const burned = english.find(({ type }) => type === "bell.burned");
  expect(burned).toMatchObject({ level: "error", subject: "node {nodeId} burned", roles: ["node"] });
  expect(burned?.dataType).toBe("pb.DeleteNodeFromNodeClusterRequest");
  const names = english.map(({ type }) => type);
  expect(names).toEqual(names.toSorted());
  expect(english.find(({ type }) => type === "kernel.disk_filled_up")).toMatchObject({ level: "error", roles: [] });
  const { messageReceiverTypes } = await edgehelm.call(admin, rpc.findAllMessageReceiverTypes, { language: "zh" });
  expect(messageReceiverTypes.find(({ type }) => type === "bell.burned")?.subject).toBe("节点 {nodeId} burned");
  await expect(edgehelm.call(admin, rpc.findAllMessageReceiverTypes, { language: "fr" }))
    .rejects.toMatchObject({ code: 400, message: expect.stringMatching(/^language: /) });
});
