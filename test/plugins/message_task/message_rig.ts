import { invalid } from "edgehelm";
import { as, stub, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { Admins } from "../../../plugins/admin/contract.ts";
import { definePlugin } from "edgehelm";
import {
  type MessageMediaDriver,
  MessageMediaDrivers,
  type OutgoingMessage,
  type SendResult,
} from "../../../plugins/message_media/contract.ts";
import media from "../../../plugins/message_media/plugin.ts";
import { MessageMediaService } from "../../../plugins/message_media/proto/service_message_media_pb.ts";
import instance from "../../../plugins/message_media_instance/plugin.ts";
import { MessageMediaInstanceService } from "../../../plugins/message_media_instance/proto/service_message_media_instance_pb.ts";
import recipient from "../../../plugins/message_recipient/plugin.ts";
import { MessageRecipientService } from "../../../plugins/message_recipient/proto/service_message_recipient_pb.ts";
import group from "../../../plugins/message_recipient_group/plugin.ts";
import { MessageRecipientGroupService } from "../../../plugins/message_recipient_group/proto/service_message_recipient_group_pb.ts";
import task from "../../../plugins/message_task/plugin.ts";
import { MessageTaskService } from "../../../plugins/message_task/proto/service_message_task_pb.ts";
import { NodeClusters } from "../../../plugins/node_cluster/contract.ts";

export const rpc = {
  ...MessageMediaService.method,
  ...MessageMediaInstanceService.method,
  ...MessageRecipientService.method,
  ...MessageRecipientGroupService.method,
  ...MessageTaskService.method,
};
export const admin = as.admin();

/** Noon in local time. */
const NOON = new Date(2030, 0, 15, 12, 0, 0).getTime();

/** Sends a message of the media `test`. */
export type Send = (message: OutgoingMessage) => Promise<SendResult>;

export function outcome(overrides: Partial<SendResult> = {}): SendResult {
  return { isOk: true, error: "", response: "250 ok", isRetryable: false, retryAfterSeconds: 0, ...overrides };
}

/** The peculiarities of the media `test`. */
export type TestMedia = Pick<MessageMediaDriver, "noticesRepetitions">;

/** A plugin with the media `test`, which accepts all parameters. */
function testMedia(send: Send | undefined, media: TestMedia = {}) {
  return definePlugin({
    manifest: {
      name: "test_media",
      version: "1.0.0",
      kernel: "^1",
      services: [],
      tables: [],
      contributes: ["message_media.drivers"],
    },
    setup({ contribute }) {
      contribute(MessageMediaDrivers, {
        id: 1001n,
        type: "test",
        name: "Test",
        description: "Keeps messages",
        userDescription: "A name",
        check() {},
        secrets: ["password", "headers.value"],
        canSend: send !== undefined,
        ...media,
        send: (_call, message) => send!(message),
      });
    },
  });
}

/** Admins and clusters 1 to 9 exist. */
export const messageStubs = [
  stub(Admins, {
    isLive: async (_call, id) => id < 10n,
    names: async (_call, ids) => new Map(ids.map((id) => [id, { username: `admin${id}`, fullname: "" }])),
  }),
  stub(NodeClusters, {
    requireCluster: async (_call, field, id) => {
      if (id > 9n) throw invalid(field, `cluster ${id} does not exist`);
    },
  }),
];

/** The plugins of messages, with the media `test`. */
export function messagePlugins(send: Send | undefined, special: TestMedia = {}) {
  return [media, instance, group, recipient, task, testMedia(send, special)];
}

/** The choices of a test. */
export interface MessageKernelOptions extends TestMedia {
  readonly outbound?: { readonly allow: readonly string[] };
  /** The host module of message_media. */
  readonly host?: object;
  /** The config of message_task. */
  readonly config?: Readonly<Record<string, boolean>>;
  /** Unix milliseconds. */
  readonly now?: number;
}

/** Opens a kernel with all message plugins; admins and clusters 1 to 9 exist. */
export async function messageKernel(
  send?: Send,
  { outbound, host, config = {}, now = NOON, ...special }: MessageKernelOptions = {},
) {
  const clock = new TestClock(now);
  const edgehelm = await testKernel({
    plugins: messagePlugins(send, special),
    stubs: messageStubs,
    clock,
    config: { message_task: config },
    ...(outbound && { outbound }),
    ...(host && { hosts: { message_media: host } }),
  });
  return { edgehelm, clock };
}

export async function instanceOf(edgehelm: TestKernel, overrides = {}): Promise<bigint> {
  const params = { mediaType: "test", paramsJSON: bytes({ url: "https://hook.test/" }) };
  const request = { name: "hook", ...params, ...overrides };
  return (await edgehelm.call(admin, rpc.createMessageMediaInstance, request)).messageMediaInstanceId;
}

export async function recipientOf(
  edgehelm: TestKernel,
  messageMediaInstanceId: bigint,
  overrides = {},
): Promise<bigint> {
  const request = { adminId: 1n, messageMediaInstanceId, user: "ops", ...overrides };
  return (await edgehelm.call(admin, rpc.createMessageRecipient, request)).messageRecipientId;
}

export function bytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

export function parsed(json: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(json));
}
