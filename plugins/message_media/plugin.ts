import { definePlugin, type Plugin } from "edgehelm";
import { hostPart } from "edgehelm/runtime";
import { MessageMediaDrivers, MessageMedias } from "./contract.ts";
import { apiUrls } from "./api_urls.ts";
import { aliyunSms } from "./drivers/aliyun_sms.ts";
import { email } from "./drivers/email.ts";
import type { MailTransport } from "./drivers/mail_transport.ts";
import { qyWeixin } from "./drivers/qy_weixin.ts";
import { dingTalk, qyWeixinRobot } from "./drivers/robots.ts";
import { slack } from "./drivers/slack.ts";
import { telegram } from "./drivers/telegram.ts";
import { webHook } from "./drivers/web_hook.ts";
import { messageMediaHandlers } from "./handlers.ts";
import { Medias } from "./medias.ts";
import manifest from "./plugin.json" with { type: "json" };
import { MessageMediaConfigSchema } from "./proto/config_pb.ts";
import { MessageMediaService } from "./proto/service_message_media_pb.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  config: MessageMediaConfigSchema,
  host: hostPart<MailTransport>(),
  setup({ host, config, clock, log, serve, provide, contributions, onStart }) {
    const urls = apiUrls(config);
    const medias = new Medias(log);
    // No media runs scripts: that would let admins execute code on the server.
    medias.add([
      email(host),
      webHook(clock),
      dingTalk,
      qyWeixin(urls.weCom),
      qyWeixinRobot,
      aliyunSms(urls.aliyunSms, clock),
      telegram(urls.telegram),
      slack,
    ]);
    serve(MessageMediaService, messageMediaHandlers(medias));
    provide(MessageMedias, medias);
    const added = contributions(MessageMediaDrivers);
    onStart(() => medias.add(added));
  },
});
export default plugin;
