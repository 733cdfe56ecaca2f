import { StructSchema } from "@bufbuild/protobuf/wkt";
import { type Call, choiceField, type Handlers, idField, invalid, jsonField, listField } from "edgehelm";
import type { Events, EventTexts } from "edgehelm/runtime";
import type { MessageRecipientGroups } from "../message_recipient_group/contract.ts";
import type { MessageRecipients } from "../message_recipient/contract.ts";
import { errors } from "./errors.ts";
import type { MessageReceiverService } from "./proto/service_message_receiver_pb.ts";
import { rolesOf } from "./targets.ts";
import { MAX_RECEIVERS, type MessageReceiverStore, type ReceiverRow, type Target } from "./store.ts";
import { checkType } from "./types.ts";

export interface Deps {
  readonly receivers: MessageReceiverStore;
  readonly recipients: MessageRecipients;
  readonly groups: MessageRecipientGroups | undefined;
  /** Checks that the cluster and the node of a target exist. */
  readonly requireTarget: (call: Call, target: Target) => Promise<void>;
  readonly events: Events;
}

const ROLES = ["", "node", "dns", "report"];
const MAX_TYPES = 200;
const MAX_OPTIONS = 1000;
const MAX_PARAMS_BYTES = 10_000;

export function messageReceiverHandlers({ receivers, recipients, groups, requireTarget, events }: Deps): Handlers<
  typeof MessageReceiverService
> {
  /** Checks that a recipient or a group exists. */
  async function optionOf(
    call: Call,
    field: string,
    { messageRecipientId, messageRecipientGroupId }: { messageRecipientId: bigint; messageRecipientGroupId: bigint },
  ) {
    if (messageRecipientId === 0n) {
      const id = idField(`${field}.messageRecipientGroupId`, messageRecipientGroupId);
      if (groups === undefined) throw invalid(field, "must name a recipient: there are no groups");
      await groups.requireAll(call, `${field}.messageRecipientGroupId`, [id]);
      return { messageRecipientId: 0n, messageRecipientGroupId: id };
    }
    if (messageRecipientGroupId !== 0n) throw invalid(field, "must name a recipient or a group, not both");
    const { id } = await recipients.requireRecipient(call, `${field}.messageRecipientId`, messageRecipientId);
    return { messageRecipientId: id, messageRecipientGroupId: 0n };
  }

  async function messagesOf(call: Call, rows: readonly ReceiverRow[]) {
    const ids = (of: "messageRecipientId" | "messageRecipientGroupId") =>
      [...new Set(rows.map((row) => row[of]))].filter((id) => id !== 0n);
    const recipientOf = await recipients.summaries(call, ids("messageRecipientId"));
    const groupOf = await groups?.summaries(call, ids("messageRecipientGroupId"));
    return rows.map(({ id, clusterId, nodeId, serverId, type, role, paramsJSON, ...to }) => {
      const messageRecipient = recipientOf.get(to.messageRecipientId)?.message;
      const messageRecipientGroup = groupOf?.get(to.messageRecipientGroupId);
      return {
        ...{ id, clusterId, nodeId, serverId, type, role },
        paramsJSON: new TextEncoder().encode(paramsJSON),
        ...messageRecipient !== undefined && { messageRecipient },
        ...messageRecipientGroup !== undefined && { messageRecipientGroup },
      };
    });
  }

  return {
    async updateMessageReceivers(request, call) {
      const target = targetOf(request);
      await requireTarget(call, target);
      const paramsJSON = paramsField("paramsJSON", request.paramsJSON);
      const entries = Object.entries(request.recipientOptions);
      if (entries.length > MAX_TYPES) {
        throw invalid("recipientOptions", `must have at most ${MAX_TYPES} kinds, got ${entries.length}`);
      }
      const rows = [];
      for (const [type, { recipientOptions }] of entries) {
        const field = `recipientOptions.${type.slice(0, 60)}`;
        checkType(field, type);
        const options = listField(field, recipientOptions, (at, option) => [at, option] as const, { max: MAX_OPTIONS });
        for (const [at, option] of options) rows.push({ type, ...await optionOf(call, at, option) });
      }
      if (rows.length > MAX_RECEIVERS) {
        throw invalid("recipientOptions", `must have at most ${MAX_RECEIVERS} receivers, got ${rows.length}`);
      }
      await receivers.clear.run(call, target);
      for (const row of unique(rows)) await receivers.insert.run(call, { ...target, ...row, paramsJSON });
      return {};
    },

    async findAllEnabledMessageReceivers(request, call) {
      return { messageReceivers: await messagesOf(call, await receivers.ofTarget.all(call, targetOf(request))) };
    },

    async findAllEnabledMessageReceiversWithMessageRecipientId({ messageRecipientId }, call) {
      const rows = await receivers.ofRecipient.all(call, { messageRecipientId });
      return { messageReceivers: await messagesOf(call, rows) };
    },

    async deleteMessageReceiver({ messageReceiverId }, call) {
      const id = idField("messageReceiverId", messageReceiverId);
      if (await receivers.remove.run(call, { id }) === 0n) throw errors.not_found(id);
      return {};
    },

    async countAllEnabledMessageReceivers(request, call) {
      return { count: BigInt((await receivers.ofTarget.all(call, targetOf(request))).length) };
    },

    findAllMessageReceiverTypes(request) {
      const language = choiceField("language", request.language || "en", ["en", "zh"]) as keyof EventTexts;
      return {
        messageReceiverTypes: events.kinds().map((kind) => ({
          ...{ type: kind.name, level: kind.level, subject: kind.texts[language].subject },
          ...{ roles: rolesOf(kind), dataType: kind.data.typeName },
        })),
      };
    },
  };
}

function targetOf(
  request: { role: string; nodeClusterId: bigint; nodeId: bigint; serverId: bigint },
): Target {
  const { nodeId, serverId, nodeClusterId: clusterId } = request;
  const given = choiceField("role", request.role, ROLES);
  for (const [field, id] of Object.entries({ nodeClusterId: clusterId, nodeId, serverId })) {
    if (id < 0n) throw invalid(field, `must not be negative, got ${id}`);
  }
  // clusters and nodes are those of edge nodes unless the role says otherwise
  const role = given === "" && (clusterId !== 0n || nodeId !== 0n) ? "node" : given;
  return { role, clusterId, nodeId, serverId };
}

function paramsField(field: string, bytes: Uint8Array): string {
  if (bytes.length > MAX_PARAMS_BYTES) {
    throw invalid(field, `must have at most ${MAX_PARAMS_BYTES} bytes, got ${bytes.length}`);
  }
  return jsonField(field, bytes, StructSchema) === undefined ? "" : new TextDecoder().decode(bytes);
}

function unique<Row extends object>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [Object.values(row).join(), row])).values()];
}
