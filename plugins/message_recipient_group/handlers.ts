import { type Handlers, idField, textField, type UseCheck } from "edgehelm";
import { findRow, refuseWhenUsed } from "edgehelm/rows";
import { errors } from "./errors.ts";
import type { MessageRecipientGroupService } from "./proto/service_message_recipient_group_pb.ts";
import type { MessageRecipientGroupRow, MessageRecipientGroupStore } from "./store.ts";

export function messageRecipientGroupHandlers(
  groups: MessageRecipientGroupStore,
  uses: readonly UseCheck[],
): Handlers<typeof MessageRecipientGroupService> {
  return {
    async createMessageRecipientGroup({ name }, call) {
      const { id } = await groups.insert.one(call, { name: textField("name", name, { min: 1 }) });
      return { messageRecipientGroupId: id };
    },

    async updateMessageRecipientGroup({ messageRecipientGroupId, name, isOn }, call) {
      const id = idField("messageRecipientGroupId", messageRecipientGroupId);
      const changes = await groups.update.run(call, { id, name: textField("name", name, { min: 1 }), isOn });
      if (changes === 0n) throw errors.not_found(id);
      return {};
    },

    async deleteMessageRecipientGroup({ messageRecipientGroupId }, call) {
      const id = idField("messageRecipientGroupId", messageRecipientGroupId);
      await refuseWhenUsed(call, id, uses, (names) => errors.in_use(id, names));
      if (await groups.remove.run(call, { id }) === 0n) throw errors.not_found(id);
      return {};
    },

    async findAllEnabledMessageRecipientGroups(_request, call) {
      return { messageRecipientGroups: (await groups.all.all(call, {})).map(groupMessage) };
    },

    findEnabledMessageRecipientGroup: findRow(groups, "messageRecipientGroupId", "messageRecipientGroup", groupMessage),
  };
}

/** Returns a group as responses contain it. */
export function groupMessage({ id, name, isOn }: MessageRecipientGroupRow) {
  return { id, name, isOn: isOn === 1n };
}
