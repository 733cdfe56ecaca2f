import { choiceField, invalid } from "edgehelm";
import { type EmittedEvent, type EventText, eventText, type EventTexts } from "edgehelm/runtime";
import type { MessageReceiverConfig } from "./proto/config_pb.ts";

/** Returns the function that writes the text about an event, with the link of the installation. */
export function messageTexts(
  { language, consoleUrl, texts }: MessageReceiverConfig,
): (event: EmittedEvent) => EventText {
  const chosen = choiceField("language", language || "en", ["en", "zh"]) as keyof EventTexts;
  if (consoleUrl !== "" && !(URL.canParse(consoleUrl) && /^https?:$/.test(new URL(consoleUrl).protocol))) {
    throw invalid("consoleUrl", `must be empty or an address with http or https, got "${consoleUrl.slice(0, 60)}"`);
  }
  const link = consoleUrl === ""
    ? ""
    : `\n\n${consoleUrl.endsWith("/") ? consoleUrl.slice(0, -1) : consoleUrl}/notices`;
  return (event) => {
    const own = texts[event.kind.name];
    const initial = event.kind.texts[chosen];
    const template = { subject: own?.subject || initial.subject, body: own?.body || initial.body };
    const { subject, body } = eventText(event, chosen, template);
    return { subject, body: `${body}${link}` };
  };
}
