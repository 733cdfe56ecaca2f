import { definePlugin, type Plugin } from "edgehelm";
import { hostPart } from "edgehelm/runtime";
import { MessageMedias } from "./contract.ts";
import { messageMediaHandlers, messageMedias } from "./handlers.ts";
import manifest from "./plugin.json" with { type: "json" };
import type { MessageSender } from "./sender.ts";
import { MessageMediaService } from "./proto/service_message_media_pb.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  host: hostPart<MessageSender>(),
  setup({ host: sender, serve, provide }) {
    const medias = messageMedias(sender);
    serve(MessageMediaService, messageMediaHandlers(medias));
    provide(MessageMedias, medias);
  },
});
export default plugin;
