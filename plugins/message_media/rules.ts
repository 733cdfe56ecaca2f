import { choiceField, invalid, jsonField, listField, textField } from "edgehelm";
import { addressVersion, asciiHostName, portField } from "edgehelm/fields";
import {
  AliyunSmsParamsSchema,
  EmailParamsSchema,
  type NamedValue,
  QyWeixinParamsSchema,
  RobotParamsSchema,
  TelegramParamsSchema,
  WebHookParamsSchema,
} from "edgehelm/proto/shapes/message_media_pb.js";

const MAX_NAMED_VALUES = 100;

/** Checks the parameters of a media. */
export type ParamsCheck = (field: string, bytes: Uint8Array) => void;

/** The checks by type of media. */
export const paramsChecks: Readonly<Record<string, ParamsCheck>> = {
  email(field, bytes) {
    const { smtp, from, username } = jsonField(field, bytes, EmailParamsSchema)!;
    const [, host = "", port = ""] = /^(.*):(\d{1,5})$/.exec(smtp.trim()) ?? [];
    if (addressVersion(host.replace(/^\[|\]$/g, "")) === undefined && asciiHostName(host) === undefined) {
      throw invalid(`${field}.smtp`, `must be host:port such as smtp.example.com:465, got "${smtp.slice(0, 60)}"`);
    }
    portField(`${field}.smtp`, Number(port));
    textField(`${field}.from`, from || username, { min: 1 });
  },
  webHook(field, bytes) {
    const { url, method, contentType, headers, params, body } = jsonField(field, bytes, WebHookParamsSchema)!;
    urlField(`${field}.url`, url, /^https?:/i, "http or https");
    if (method !== "") choiceField(`${field}.method`, method.toUpperCase(), ["GET", "POST"]);
    if (contentType !== "") choiceField(`${field}.contentType`, contentType, ["params", "body"]);
    valuesField(`${field}.headers`, headers);
    valuesField(`${field}.params`, params);
    textField(`${field}.body`, body, { max: 65_536 });
  },
  dingTalk: robot,
  qyWeixinRobot: robot,
  qyWeixin(field, bytes) {
    const { corporateId, agentId, appSecret, textFormat } = jsonField(field, bytes, QyWeixinParamsSchema)!;
    textField(`${field}.corporateId`, corporateId, { min: 1 });
    textField(`${field}.agentId`, agentId, { min: 1 });
    textField(`${field}.appSecret`, appSecret, { min: 1 });
    formatField(`${field}.textFormat`, textFormat);
  },
  aliyunSms(field, bytes) {
    const params = jsonField(field, bytes, AliyunSmsParamsSchema)!;
    for (const key of ["sign", "templateCode", "accessKeyId", "accessKeySecret"] as const) {
      textField(`${field}.${key}`, params[key], { min: 1 });
    }
    valuesField(`${field}.variables`, params.variables);
  },
  telegram(field, bytes) {
    textField(`${field}.token`, jsonField(field, bytes, TelegramParamsSchema)!.token, { min: 1 });
  },
};

function robot(field: string, bytes: Uint8Array): void {
  const { webHookURL, textFormat } = jsonField(field, bytes, RobotParamsSchema)!;
  urlField(`${field}.webHookURL`, webHookURL, /^https:/i, "https");
  formatField(`${field}.textFormat`, textFormat);
}

function urlField(field: string, value: string, scheme: RegExp, schemes: string): void {
  const url = textField(field, value, { min: 1, max: 2000 });
  if (!scheme.test(url) || !URL.canParse(url)) {
    throw invalid(field, `must be a URL with ${schemes}, got "${url.slice(0, 60)}"`);
  }
}

function formatField(field: string, value: string): void {
  if (value !== "") choiceField(field, value, ["text", "markdown"]);
}

function valuesField(field: string, values: readonly NamedValue[]): void {
  listField(field, values, (at, { name, value }) => {
    textField(`${at}.name`, name, { min: 1 });
    textField(`${at}.value`, value, { max: 10_000 });
  }, { max: MAX_NAMED_VALUES });
}
