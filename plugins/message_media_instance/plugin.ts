import { definePlugin, optional, type Plugin } from "edgehelm";
import { sealedSecrets, Secrets } from "edgehelm/auth";
import { MessageMedias } from "../message_media/contract.ts";
import { MessageRecipientGroups } from "../message_recipient_group/contract.ts";
import { MessageMediaInstances, MessageMediaInstanceUses, MessageMediaInstanceWatchers } from "./contract.ts";
import { errors } from "./errors.ts";
import { messageMediaInstanceHandlers } from "./handlers.ts";
import { messageMediaInstances } from "./instances.ts";
import * as createMessageMediaInstances from "./migrations/0001_create_message_media_instances.ts";
import manifest from "./plugin.json" with { type: "json" };
import { MessageMediaInstanceService } from "./proto/service_message_media_instance_pb.ts";
import { messageMediaInstanceStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_message_media_instances": createMessageMediaInstances },
  sealed: [{ table: "messageMediaInstances", column: "params", row: "paramsPlace" }],
  requires: { medias: MessageMedias, groups: optional(MessageRecipientGroups), sealer: Secrets },
  async setup({ db, deps: { medias, groups, sealer }, serve, provide, contributions }) {
    const instances = messageMediaInstanceStore(db<Tables>());
    const secrets = await sealedSecrets(sealer, "messageMediaInstances", "params");
    const extensions = {
      uses: contributions(MessageMediaInstanceUses),
      watchers: contributions(MessageMediaInstanceWatchers),
    };
    serve(
      MessageMediaInstanceService,
      messageMediaInstanceHandlers({ instances, medias, groups, secrets, ...extensions }),
    );
    provide(MessageMediaInstances, messageMediaInstances(instances, medias, secrets));
  },
});
export default plugin;
