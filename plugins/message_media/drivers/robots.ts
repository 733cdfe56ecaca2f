import { jsonField } from "edgehelm";
import { RobotParamsSchema } from "edgehelm/proto/shapes/message_media_pb.js";
import type { MessageMediaDriver, OutgoingMessage } from "../contract.ts";
import { formatField, urlField } from "./fields.ts";
import { postJson, resultOfCode } from "./http.ts";
import { chatText } from "./texts.ts";

const ERROR_NAMES = { code: "errcode", message: "errmsg" } as const;
/** The texts are limited in bytes, of which a Chinese character has three. */
const MAX_TEXT = 600;

/** The differences between robots of chat groups. */
interface Robot extends Pick<MessageMediaDriver, "id" | "type" | "name" | "description"> {
  /** Returns the content of a request. */
  readonly content: (message: OutgoingMessage, text: string, isMarkdown: boolean) => object;
  /** The error codes of a provider that is busy, or of too many messages in a minute. */
  readonly busy: readonly string[];
}

/** Sends through the robot of a DingTalk group. */
export const dingTalk: MessageMediaDriver = robot({
  id: 3n,
  type: "dingTalk",
  name: "DingTalk robot",
  description: "Sends through the robot of a DingTalk group",
  content: ({ subject, user }, text, isMarkdown) => ({
    ...isMarkdown
      ? { msgtype: "markdown", markdown: { title: subject, text } }
      : { msgtype: "text", text: { content: text } },
    at: { atMobiles: mobiles(user) },
  }),
  busy: ["-1", "130101"],
});

/** Sends through the robot of a WeCom group. */
export const qyWeixinRobot: MessageMediaDriver = robot({
  id: 5n,
  type: "qyWeixinRobot",
  name: "WeCom robot",
  description: "Sends through the robot of a WeCom group",
  content: ({ user }, content, isMarkdown) =>
    isMarkdown
      ? { msgtype: "markdown", markdown: { content } }
      : { msgtype: "text", text: { content, mentioned_mobile_list: mobiles(user) } },
  busy: ["-1", "45009"],
});

function robot({ content, busy, ...named }: Robot): MessageMediaDriver {
  return {
    ...named,
    userDescription: "The mobile number of the user to mention",
    secrets: ["webHookURL"],
    canSend: true,
    check(field, bytes) {
      const { webHookURL, textFormat } = jsonField(field, bytes, RobotParamsSchema)!;
      urlField(`${field}.webHookURL`, webHookURL, /^https:/i, "https");
      formatField(`${field}.textFormat`, textFormat);
    },
    hosts: (bytes) => ({ webHookURL: new URL(jsonField("paramsJSON", bytes, RobotParamsSchema)!.webHookURL).hostname }),
    async send(call, message) {
      const { webHookURL, textFormat } = jsonField("paramsJSON", message.paramsJSON, RobotParamsSchema)!;
      const value = content(message, chatText(message, MAX_TEXT), textFormat === "markdown");
      return resultOfCode(await postJson(call, webHookURL, value), ERROR_NAMES, (code) => busy.includes(code));
    },
  };
}

/** Returns the mobile number to mention, or none. */
function mobiles(user: string): string[] {
  return /^\+?[\d-]{5,20}$/.test(user) ? [user] : [];
}
