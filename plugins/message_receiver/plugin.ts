import { definePlugin, optional, type Plugin } from "edgehelm";
import { usedBy } from "edgehelm/rows";
import { EventListeners, Events } from "edgehelm/runtime";
import { MessageRecipients, MessageRecipientWatchers } from "../message_recipient/contract.ts";
import { MessageRecipientGroups, MessageRecipientGroupUses } from "../message_recipient_group/contract.ts";
import { MessageTasks } from "../message_task/contract.ts";
import { Nodes } from "../node/contract.ts";
import { NodeClusters } from "../node_cluster/contract.ts";
import { NSClusters } from "../ns_cluster/contract.ts";
import { errors } from "./errors.ts";
import { targetCheck } from "./existing_targets.ts";
import { messageReceiverHandlers } from "./handlers.ts";
import { messageReceiverListener } from "./listener.ts";
import * as createMessageReceivers from "./migrations/0001_create_message_receivers.ts";
import manifest from "./plugin.json" with { type: "json" };
import { MessageReceiverConfigSchema } from "./proto/config_pb.ts";
import { MessageReceiverService } from "./proto/service_message_receiver_pb.ts";
import { messageReceiverStore, type Tables } from "./store.ts";
import { messageTexts } from "./texts.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  config: MessageReceiverConfigSchema,
  migrations: { "0001_create_message_receivers": createMessageReceivers },
  requires: {
    recipients: MessageRecipients,
    groups: optional(MessageRecipientGroups),
    tasks: MessageTasks,
    events: Events,
    clusters: optional(NodeClusters),
    nodes: optional(Nodes),
    nsClusters: optional(NSClusters),
  },
  setup({ db, config, deps: { recipients, groups, tasks, events, ...owners }, serve, contribute }) {
    const requireTarget = targetCheck(owners);
    const receivers = messageReceiverStore(db<Tables>());
    serve(MessageReceiverService, messageReceiverHandlers({ receivers, recipients, groups, requireTarget, events }));
    contribute(EventListeners, messageReceiverListener({ receivers, recipients, tasks, textOf: messageTexts(config) }));
    contribute(MessageRecipientGroupUses, usedBy(receivers.ofGroup, ({ type }) => `receivers of "${type}"`));
    contribute(MessageRecipientWatchers, {
      async becameUnavailable(call, messageRecipientId) {
        // one that is turned off hears again when it is turned on
        if ((await recipients.summaries(call, [messageRecipientId])).has(messageRecipientId)) return;
        await receivers.removeOfRecipient.run(call, { messageRecipientId });
      },
    });
  },
});
export default plugin;
