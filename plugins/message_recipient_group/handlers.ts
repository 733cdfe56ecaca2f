import { type Handlers, textField, type UseCheck } from "edgehelm";
import { MessageRecipientGroupSchema } from "edgehelm/proto/models/message_recipient_group_pb.js";
import { createRow, deleteRow, findRow, listRows, rowMessage, updateRow } from "edgehelm/rows";
import { errors } from "./errors.ts";
import type { MessageRecipientGroupService } from "./proto/service_message_recipient_group_pb.ts";
import type { MessageRecipientGroupStore } from "./store.ts";

/** Returns a group as responses contain it. */
export const groupMessage = rowMessage(MessageRecipientGroupSchema, ["id", "name", "isOn"]);

const id = "messageRecipientGroupId";
const nameOf = ({ name }: { readonly name: string }) => ({ name: textField("name", name, { min: 1 }) });

export function messageRecipientGroupHandlers(
  groups: MessageRecipientGroupStore,
  uses: readonly UseCheck[],
): Handlers<typeof MessageRecipientGroupService> {
  return {
    createMessageRecipientGroup: createRow(id, groups.insert, nameOf),
    updateMessageRecipientGroup: updateRow(groups, id, groups.update, (request) => {
      return { ...nameOf(request), isOn: request.isOn };
    }),
    deleteMessageRecipientGroup: deleteRow(groups, id, { uses, inUse: errors.in_use }),
    findEnabledMessageRecipientGroup: findRow(groups, id, "messageRecipientGroup", groupMessage),
    findAllEnabledMessageRecipientGroups: listRows(groups.list, "messageRecipientGroups", groupMessage, () => ({})),
  };
}
