import { type Call, jsonField, textField } from "edgehelm";
import { type QyWeixinParams, QyWeixinParamsSchema } from "edgehelm/proto/shapes/message_media_pb.js";
import type { MessageMediaDriver } from "../contract.ts";
import { delayed, refused } from "../results.ts";
import { formatField } from "./fields.ts";
import { jsonObject, postJson, type ProviderResponse, requestProvider, resultOf, resultOfCode } from "./http.ts";
import { chatText } from "./texts.ts";

const ERROR_NAMES = { code: "errcode", message: "errmsg" } as const;
/** The texts are limited in bytes, of which a Chinese character has three. */
const MAX_TEXT = 600;
/** -1: busy; 45009: called too often. */
const isTemporary = (code: string) => code === "-1" || code === "45009";

/** Sends through an application of WeCom. */
export function qyWeixin(apiUrl: string): MessageMediaDriver {
  return {
    id: 4n,
    type: "qyWeixin",
    name: "WeCom application",
    description: "Sends through an application of WeCom",
    userDescription: "A user's id in WeCom",
    secrets: ["appSecret"],
    canSend: true,
    check(field, bytes) {
      const { corporateId, agentId, appSecret, textFormat } = jsonField(field, bytes, QyWeixinParamsSchema)!;
      textField(`${field}.corporateId`, corporateId, { min: 1 });
      textField(`${field}.agentId`, agentId, { min: 1 });
      textField(`${field}.appSecret`, appSecret, { min: 1 });
      formatField(`${field}.textFormat`, textFormat);
    },
    async send(call, message) {
      const params = jsonField("paramsJSON", message.paramsJSON, QyWeixinParamsSchema)!;
      const response = await requestToken(call, apiUrl, params);
      const { access_token: token, errcode, errmsg } = jsonObject(response.text);
      if (typeof token !== "string" || token === "") {
        if (response.status !== 200) return resultOf(response);
        const error = `no access token, error ${errcode}: ${errmsg}`;
        return isTemporary(String(errcode)) ? delayed(error) : refused(error);
      }
      const content = chatText(message, MAX_TEXT);
      const sent = await postJson(call, `${apiUrl}/cgi-bin/message/send?access_token=${encodeURIComponent(token)}`, {
        touser: message.user,
        agentid: params.agentId,
        ...params.textFormat === "markdown"
          ? { msgtype: "markdown", markdown: { content } }
          : { msgtype: "text", text: { content } },
      });
      return resultOfCode(sent, ERROR_NAMES, isTemporary);
    },
  };
}

/** Requests an access token. Its response is never shown: it contains the token. */
function requestToken(
  call: Call,
  apiUrl: string,
  { corporateId, appSecret }: QyWeixinParams,
): Promise<ProviderResponse> {
  const url = new URL(`${apiUrl}/cgi-bin/gettoken`);
  url.searchParams.set("corpid", corporateId);
  url.searchParams.set("corpsecret", appSecret);
  return requestProvider(call, url.href, { method: "GET", headers: {} });
}
