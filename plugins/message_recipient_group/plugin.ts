import { definePlugin, type Plugin } from "edgehelm";
import { MessageRecipientGroups, MessageRecipientGroupUses } from "./contract.ts";
import { errors } from "./errors.ts";
import { groupMessage, messageRecipientGroupHandlers } from "./handlers.ts";
import * as createMessageRecipientGroups from "./migrations/0001_create_message_recipient_groups.ts";
import manifest from "./plugin.json" with { type: "json" };
import { MessageRecipientGroupService } from "./proto/service_message_recipient_group_pb.ts";
import { messageRecipientGroupStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_message_recipient_groups": createMessageRecipientGroups },
  setup({ db, serve, provide, contributions }) {
    const groups = messageRecipientGroupStore(db<Tables>());
    serve(
      MessageRecipientGroupService,
      messageRecipientGroupHandlers(groups, contributions(MessageRecipientGroupUses)),
    );
    provide(MessageRecipientGroups, groups.references(groupMessage));
  },
});
export default plugin;
