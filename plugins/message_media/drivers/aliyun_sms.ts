import { base64Encode } from "@bufbuild/protobuf/wire";
import { type Clock, jsonField, textField } from "edgehelm";
import { AliyunSmsParamsSchema } from "edgehelm/proto/shapes/message_media_pb.js";
import type { MessageMediaDriver } from "../contract.ts";
import { valuesField } from "./fields.ts";
import { jsonObject, requestProvider, resultOf, resultOfCode } from "./http.ts";
import { filled } from "./texts.ts";

const encoder = new TextEncoder();
/** Limits of the provider by minute, hour and day. */
const isTemporary = (code: string) => code === "isv.BUSINESS_LIMIT_CONTROL" || code.startsWith("Throttling");

/** Sends text messages through Alibaba Cloud, with the signature of version 1 of its API. */
export function aliyunSms(apiUrl: string, clock: Clock): MessageMediaDriver {
  return {
    id: 6n,
    type: "aliyunSms",
    name: "Alibaba Cloud SMS",
    description: "Sends a text message through Alibaba Cloud",
    userDescription: "A mobile number",
    secrets: ["accessKeySecret"],
    canSend: true,
    check(field, bytes) {
      const params = jsonField(field, bytes, AliyunSmsParamsSchema)!;
      for (const key of ["sign", "templateCode", "accessKeyId", "accessKeySecret"] as const) {
        textField(`${field}.${key}`, params[key], { min: 1 });
      }
      valuesField(`${field}.variables`, params.variables);
    },
    async send(call, message) {
      const params = jsonField("paramsJSON", message.paramsJSON, AliyunSmsParamsSchema)!;
      const variables = params.variables.map(({ name, value }) => [name, filled(value, message)]);
      const query = await signedQuery({
        AccessKeyId: params.accessKeyId,
        Action: "SendSms",
        Format: "JSON",
        OutId: message.id,
        PhoneNumbers: message.user,
        SignName: params.sign,
        SignatureMethod: "HMAC-SHA1",
        // the same in each attempt, so that the provider notices a repetition
        SignatureNonce: message.id,
        SignatureVersion: "1.0",
        TemplateCode: params.templateCode,
        TemplateParam: JSON.stringify(Object.fromEntries(variables)),
        Timestamp: new Date(clock.now()).toISOString().replace(/\.\d+Z$/, "Z"),
        Version: "2017-05-25",
      }, params.accessKeySecret);
      const response = await requestProvider(call, `${apiUrl}/?${query}`, { method: "GET", headers: {} });
      const hasCode = jsonObject(response.text)["Code"] !== undefined;
      if (!hasCode) return resultOf(response);
      return resultOfCode({ ...response, status: 200 }, { code: "Code", message: "Message" }, isTemporary);
    },
  };
}

/** Returns the query with its signature: the HMAC-SHA1 of the sorted query, which is encoded once more. */
async function signedQuery(values: Readonly<Record<string, string>>, secret: string): Promise<string> {
  const query = Object.entries(values).sort(([a], [b]) => a < b ? -1 : 1)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&");
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode(`${secret}&`),
    { name: "HMAC", hash: "SHA-1" },
    false,
    [
      "sign",
    ],
  );
  const signature = await crypto.subtle.sign("HMAC", key, encoder.encode(`GET&%2F&${encoded(query)}`));
  return `Signature=${encoded(base64Encode(new Uint8Array(signature)))}&${query}`;
}

/** Encodes all but the unreserved characters of RFC 3986. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
