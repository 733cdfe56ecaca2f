import { type Call, type Handlers, pageOf, textField } from "edgehelm";
import type { MessageMediaInstances } from "../message_media_instance/contract.ts";
import type { Recipients } from "./recipients.ts";
import type { MessageRecipientService } from "./proto/service_message_recipient_pb.ts";
import type { MessageRecipientStore } from "./store.ts";

/** An upper bound for the instances of one media. */
const MAX_INSTANCES = 10_000;

export function messageRecipientHandlers(
  store: MessageRecipientStore,
  recipients: Recipients,
  instances: MessageMediaInstances,
): Handlers<typeof MessageRecipientService> {
  async function filterOf(
    call: Call,
    request: { adminId: bigint; mediaType: string; messageRecipientGroupId: bigint; keyword: string },
  ) {
    const { adminId, mediaType, messageRecipientGroupId } = request;
    const keyword = textField("keyword", request.keyword);
    const messageMediaInstanceId = mediaType === "" ? 0n : await instances.idsOfType(call, mediaType, MAX_INSTANCES);
    return { adminId, messageRecipientGroupId, messageMediaInstanceId, keyword };
  }

  return {
    async createMessageRecipient(request, call) {
      const { id } = await store.insert.one(call, await recipients.check(call, request));
      return { messageRecipientId: id };
    },

    async updateMessageRecipient(request, call) {
      const { id, isOn } = await store.require(call, "messageRecipientId", request.messageRecipientId);
      await store.update.run(call, { ...await recipients.check(call, request), id, isOn: request.isOn });
      if (!request.isOn && isOn === 1n) await recipients.becameUnavailable(call, id);
      return {};
    },

    async deleteMessageRecipient({ messageRecipientId }, call) {
      const { id } = await store.require(call, "messageRecipientId", messageRecipientId);
      await recipients.remove(call, id);
      return {};
    },

    async countAllEnabledMessageRecipients(request, call) {
      return { count: await store.list.count(call, await filterOf(call, request)) };
    },

    async listEnabledMessageRecipients(request, call) {
      const page = pageOf(request);
      const rows = await store.list.page(call, await filterOf(call, request), page);
      return { messageRecipients: await recipients.messages(call, rows) };
    },

    async findEnabledMessageRecipient({ messageRecipientId }, call) {
      const rows = await store.byId.all(call, { id: messageRecipientId });
      const [messageRecipient] = await recipients.messages(call, rows);
      return { messageRecipient };
    },
  };
}
