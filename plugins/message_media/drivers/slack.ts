import { jsonField } from "edgehelm";
import { SlackParamsSchema } from "edgehelm/proto/shapes/message_media_pb.js";
import type { MessageMediaDriver } from "../contract.ts";
import { urlField } from "./fields.ts";
import { postJson, resultOf } from "./http.ts";
import { chatText } from "./texts.ts";

const MAX_TEXT = 4000;
const MEMBER = /^[UW][A-Z0-9]{5,20}$/;

/** Sends through an incoming web hook of a Slack channel. */
export const slack: MessageMediaDriver = {
  id: 8n,
  type: "slack",
  name: "Slack",
  description: "Sends through an incoming web hook of a Slack channel",
  userDescription: "The id of a member to mention, such as U012AB3CD; other texts mention no one",
  secrets: ["webHookURL"],
  canSend: true,
  check(field, bytes) {
    urlField(`${field}.webHookURL`, jsonField(field, bytes, SlackParamsSchema)!.webHookURL, /^https:/i, "https");
  },
  hosts: (bytes) => ({ webHookURL: new URL(jsonField("paramsJSON", bytes, SlackParamsSchema)!.webHookURL).hostname }),
  async send(call, message) {
    const { webHookURL } = jsonField("paramsJSON", message.paramsJSON, SlackParamsSchema)!;
    const mention = MEMBER.test(message.user) ? `<@${message.user}> ` : "";
    return resultOf(await postJson(call, webHookURL, { text: mention + escaped(chatText(message, MAX_TEXT)) }));
  },
};

/** Escapes what Slack reads as markup of links and mentions. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
