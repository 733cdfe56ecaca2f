import { choiceField, type Handlers, invalid, kernelErrors, textField } from "edgehelm";
import type { MessageMedias, MessageMediaSummary } from "./contract.ts";
import { MEDIAS } from "./medias.ts";
import { paramsChecks } from "./rules.ts";
import type { MessageSender } from "./sender.ts";
import type { MessageMediaService } from "./proto/service_message_media_pb.ts";

const byType: ReadonlyMap<string, MessageMediaSummary> = new Map(MEDIAS.map((media) => [media.type, media]));

/** Implements the contract on top of the message transport of the host, if there is one. */
export function messageMedias(sender: MessageSender | undefined): MessageMedias {
  return {
    canSend: sender !== undefined,
    find: (type) => byType.get(type),
    requireType: (field, type) => byType.get(choiceField(field, type, [...byType.keys()]))!,
    requireParams(field, type, paramsJSON) {
      if (paramsJSON.length === 0) throw invalid(field, "must not be empty");
      paramsChecks[type]!(field, paramsJSON);
    },
    async send(call, message) {
      if (sender === undefined) throw kernelErrors.unavailable("no message transport is configured");
      try {
        return { isOk: true, error: "", response: await sender.send(call, message) };
      } catch (error) {
        return { isOk: false, error: (error as Error).message, response: "" };
      }
    },
  };
}

export function messageMediaHandlers(medias: MessageMedias): Handlers<typeof MessageMediaService> {
  return {
    findAllMessageMedias: () => ({ messageMedias: [...MEDIAS] }),

    async sendMediaMessage({ mediaType, optionsJSON, user, subject, body }, call) {
      medias.requireType("mediaType", mediaType);
      medias.requireParams("optionsJSON", mediaType, optionsJSON);
      const result = await medias.send(call, {
        mediaType,
        paramsJSON: optionsJSON,
        user: textField("user", user),
        subject: textField("subject", subject, { min: 1 }),
        body: textField("body", body, { max: 65_536 }),
      });
      if (!result.isOk) throw kernelErrors.unavailable(`message not delivered: ${result.error}`);
      return {};
    },
  };
}
