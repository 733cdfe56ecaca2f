import { invalid, jsonField, textField } from "edgehelm";
import { TelegramParamsSchema } from "edgehelm/proto/shapes/message_media_pb.js";
import type { MessageMediaDriver } from "../contract.ts";
import { delayed, delivered, refused } from "../results.ts";
import { jsonObject, postJson } from "./http.ts";
import { chatText } from "./texts.ts";

const MAX_TEXT = 4096;

/** Sends through a robot of Telegram, or of a Bot API server of one's own. */
export function telegram(apiUrl: string): MessageMediaDriver {
  return {
    id: 7n,
    type: "telegram",
    name: "Telegram robot",
    description: "Sends through a Telegram robot",
    userDescription: "The id of a chat",
    secrets: ["token"],
    canSend: true,
    check(field, bytes) {
      const token = textField(`${field}.token`, jsonField(field, bytes, TelegramParamsSchema)!.token, { min: 1 });
      if (!/^[\w:-]{1,200}$/.test(token)) {
        throw invalid(`${field}.token`, "must consist of letters, digits, :, _ and -");
      }
    },
    async send(call, message) {
      const { token } = jsonField("paramsJSON", message.paramsJSON, TelegramParamsSchema)!;
      const content = { chat_id: message.user, text: chatText(message, MAX_TEXT) };
      const { status, text } = await postJson(call, `${apiUrl}/bot${token}/sendMessage`, content);
      const { ok, description, parameters } = jsonObject(text);
      if (ok === true) return delivered(text);
      const error = typeof description === "string" ? description : `the provider responded with status ${status}`;
      const { retry_after: seconds } = jsonObject(JSON.stringify(parameters ?? {}));
      if (status === 429 || status >= 500) return delayed(error, text, Number(seconds) || 0);
      return refused(error, text);
    },
  };
}
