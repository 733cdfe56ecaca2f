import { type Handlers, kernelErrors, textField } from "edgehelm";
import type { Medias } from "./medias.ts";
import type { MessageMediaService } from "./proto/service_message_media_pb.ts";

export function messageMediaHandlers(medias: Medias): Handlers<typeof MessageMediaService> {
  return {
    findAllMessageMedias: () => ({ messageMedias: medias.all() }),

    async sendMediaMessage({ mediaType, optionsJSON, user, subject, body }, call) {
      medias.requireType("mediaType", mediaType);
      medias.requireParams("optionsJSON", mediaType, optionsJSON);
      const { isOk, error } = await medias.send(call, mediaType, {
        id: `test-${crypto.randomUUID()}`,
        paramsJSON: optionsJSON,
        user: textField("user", user),
        subject: textField("subject", subject, { min: 1 }),
        body: textField("body", body, { max: 65_536 }),
      });
      if (!isOk) throw kernelErrors.unavailable(`message not delivered: ${error}`);
      return {};
    },
  };
}
