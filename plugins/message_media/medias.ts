import type { MessageMediaSummary } from "./contract.ts";

type MediaTexts = readonly [type: string, name: string, description: string, userDescription: string];

// No media runs scripts: that would let admins execute code on the server.
const TEXTS: readonly MediaTexts[] = [
  ["email", "Email", "Sends an email through a mail server", "An email address"],
  ["webHook", "Web hook", "Calls a URL", "A value for the variable ${MessageUser}; may be empty"],
  [
    "dingTalk",
    "DingTalk robot",
    "Sends through the robot of a DingTalk group",
    "The mobile number of the user to mention",
  ],
  ["qyWeixin", "WeCom application", "Sends through an application of WeCom", "A user's id in WeCom"],
  [
    "qyWeixinRobot",
    "WeCom robot",
    "Sends through the robot of a WeCom group",
    "The mobile number of the user to mention",
  ],
  ["aliyunSms", "Alibaba Cloud SMS", "Sends a text message through Alibaba Cloud", "A mobile number"],
  ["telegram", "Telegram robot", "Sends through a Telegram robot", "The id of a chat"],
];

/** All media. */
export const MEDIAS: readonly MessageMediaSummary[] = TEXTS.map((
  [type, name, description, userDescription],
  index,
) => ({
  id: BigInt(index + 1),
  type,
  name,
  description,
  userDescription,
  isOn: true,
}));
