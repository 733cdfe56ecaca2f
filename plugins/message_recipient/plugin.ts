import { definePlugin, optional, type Plugin } from "edgehelm";
import { usedBy, usedInList } from "edgehelm/rows";
import { AdminDeletions, Admins } from "../admin/contract.ts";
import { MessageMediaInstances, MessageMediaInstanceUses } from "../message_media_instance/contract.ts";
import { MessageRecipientGroups, MessageRecipientGroupUses } from "../message_recipient_group/contract.ts";
import { NodeClusters } from "../node_cluster/contract.ts";
import { MessageRecipients, MessageRecipientWatchers } from "./contract.ts";
import { errors } from "./errors.ts";
import { messageRecipientHandlers } from "./handlers.ts";
import * as createMessageRecipients from "./migrations/0001_create_message_recipients.ts";
import * as dropHandWrittenLists from "./migrations/0003_drop_hand_written_lists.ts";
import manifest from "./plugin.json" with { type: "json" };
import { Recipients } from "./recipients.ts";
import { MessageRecipientService } from "./proto/service_message_recipient_pb.ts";
import { messageRecipientStore, recipientList, type Tables } from "./store.ts";

const describe = ({ user }: { readonly user: string }) => `message recipient "${user}"`;

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: {
    "0001_create_message_recipients": createMessageRecipients,
    "0002_list_message_recipients": recipientList.migration,
    "0003_drop_hand_written_lists": dropHandWrittenLists,
  },
  lists: [recipientList],
  requires: {
    instances: MessageMediaInstances,
    admins: optional(Admins),
    groups: optional(MessageRecipientGroups),
    clusters: optional(NodeClusters),
  },
  setup({ db, deps, serve, provide, contribute, contributions }) {
    const store = messageRecipientStore(db<Tables>());
    const recipients = new Recipients(store, deps, contributions(MessageRecipientWatchers));
    serve(MessageRecipientService, messageRecipientHandlers(store, recipients, deps.instances));
    provide(MessageRecipients, recipients);
    contribute(MessageMediaInstanceUses, usedBy(store.ofInstance, describe));
    const inGroup = (messageRecipientGroupId: bigint) => ({ messageRecipientGroupId });
    contribute(MessageRecipientGroupUses, usedInList(store.list, inGroup, describe));
    contribute(AdminDeletions, {
      async deleted(call, adminId) {
        for (const { id } of await store.ofAdmin.all(call, { adminId })) await recipients.remove(call, id);
      },
    });
  },
});
export default plugin;
