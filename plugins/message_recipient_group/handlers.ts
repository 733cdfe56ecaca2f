import { type Handlers, textField, type UseCheck } from "edgehelm";
import { MessageRecipientGroupSchema } from "edgehelm/proto/models/message_recipient_group_pb.js";
import { deleteRow, findRow, listRows, rowMessage, updateRow } from "edgehelm/rows";
import { errors } from "./errors.ts";
import type { MessageRecipientGroupService } from "./proto/service_message_recipient_group_pb.ts";
import type { MessageRecipientGroupStore } from "./store.ts";

/** Returns a group as responses contain it. */
export const groupMessage = rowMessage(MessageRecipientGroupSchema, ["id", "name", "isOn"]);

export function messageRecipientGroupHandlers(
  groups: MessageRecipientGroupStore,
  uses: readonly UseCheck[],
): Handlers<typeof MessageRecipientGroupService> {
  return {
    async createMessageRecipientGroup({ name }, call) {
      const { id } = await groups.insert.one(call, { name: textField("name", name, { min: 1 }) });
      return { messageRecipientGroupId: id };
    },
    updateMessageRecipientGroup: updateRow(
      groups,
      "messageRecipientGroupId",
      groups.update,
      ({ name, isOn }) => ({ name: textField("name", name, { min: 1 }), isOn }),
    ),
    deleteMessageRecipientGroup: deleteRow(groups, "messageRecipientGroupId", { uses, inUse: errors.in_use }),
    findEnabledMessageRecipientGroup: findRow(
      groups,
      "messageRecipientGroupId",
      "messageRecipientGroup",
      groupMessage,
    ),
    findAllEnabledMessageRecipientGroups: listRows(groups.list, "messageRecipientGroups", groupMessage, () => ({})),
  };
}
