import { jsonField } from "edgehelm";
import { RobotParamsSchema } from "edgehelm/proto/shapes/message_media_pb.js";
import type { MessageMediaDriver } from "../contract.ts";
import { formatField, urlField } from "./fields.ts";
import { postJson, resultOfCode } from "./http.ts";
import { chatText } from "./texts.ts";

const ERROR_NAMES = { code: "errcode", message: "errmsg" } as const;
/** The texts are limited in bytes, of which a Chinese character has three. */
const MAX_TEXT = 600;

function check(field: string, bytes: Uint8Array): void {
  const { webHookURL, textFormat } = jsonField(field, bytes, RobotParamsSchema)!;
  urlField(`${field}.webHookURL`, webHookURL, /^https:/i, "https");
  formatField(`${field}.textFormat`, textFormat);
}

/** Returns the mobile number to mention, or none. */
function mobiles(user: string): string[] {
  return /^\+?[\d-]{5,20}$/.test(user) ? [user] : [];
}

/** Sends through the robot of a DingTalk group. */
export const dingTalk: MessageMediaDriver = {
  id: 3n,
  type: "dingTalk",
  name: "DingTalk robot",
  description: "Sends through the robot of a DingTalk group",
  userDescription: "The mobile number of the user to mention",
  secrets: ["webHookURL"],
  canSend: true,
  check,
  async send(call, message) {
    const { webHookURL, textFormat } = jsonField("paramsJSON", message.paramsJSON, RobotParamsSchema)!;
    const text = chatText(message, MAX_TEXT);
    const content = textFormat === "markdown"
      ? { msgtype: "markdown", markdown: { title: message.subject, text } }
      : { msgtype: "text", text: { content: text } };
    const response = await postJson(call, webHookURL, { ...content, at: { atMobiles: mobiles(message.user) } });
    // -1: busy; 130101: too many messages in a minute
    return resultOfCode(response, ERROR_NAMES, (code) => code === "-1" || code === "130101");
  },
};

/** Sends through the robot of a WeCom group. */
export const qyWeixinRobot: MessageMediaDriver = {
  id: 5n,
  type: "qyWeixinRobot",
  name: "WeCom robot",
  description: "Sends through the robot of a WeCom group",
  userDescription: "The mobile number of the user to mention",
  secrets: ["webHookURL"],
  canSend: true,
  check,
  async send(call, message) {
    const { webHookURL, textFormat } = jsonField("paramsJSON", message.paramsJSON, RobotParamsSchema)!;
    const content = chatText(message, MAX_TEXT);
    const value = textFormat === "markdown"
      ? { msgtype: "markdown", markdown: { content } }
      : { msgtype: "text", text: { content, mentioned_mobile_list: mobiles(message.user) } };
    // -1: busy; 45009: too many messages in a minute
    return resultOfCode(
      await postJson(call, webHookURL, value),
      ERROR_NAMES,
      (code) => code === "-1" || code === "45009",
    );
  },
};
