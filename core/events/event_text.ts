import type { EventText, EventTexts } from "./event_kind.ts";
import type { EmittedEvent } from "./events.ts";

const MAX_SUBJECT = 255;
/** Names of fields with times in unix seconds. */
const TIME_NAME = /(?:At|Since|Until)$|^(?:since|until)$/;

/**
 * Returns the text about an event in a language, with the values of its data. Times are in UTC.
 *
 * @param text another text than that of the kind, with fields of its data in braces
 *
 * @example
 * ```ts
 * const { subject, body } = eventText(event, "en");
 * ```
 */
export function eventText(
  { kind, data }: EmittedEvent,
  language: keyof EventTexts,
  text: EventText = kind.texts[language],
): EventText {
  const values = data as unknown as Readonly<Record<string, unknown>>;
  const fill = (template: string) =>
    template.replaceAll(/\{([A-Za-z0-9]+)\}/g, (place, name: string) => {
      return Object.hasOwn(values, name) ? valueText(name, values[name]) : place;
    });
  const subject = fill(text.subject).replaceAll(/\s+/g, " ").trim();
  const isLong = subject.length > MAX_SUBJECT;
  return { subject: isLong ? `${subject.slice(0, MAX_SUBJECT - 1).toWellFormed()}…` : subject, body: fill(text.body) };
}

function valueText(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => valueText(name, item)).join(", ");
  if (typeof value === "bigint" && TIME_NAME.test(name)) return value === 0n ? "–" : timeText(value);
  return String(value);
}

/** Returns a time such as `2026-11-25 12:04 UTC`. */
function timeText(seconds: bigint): string {
  const milliseconds = Number(seconds) * 1000;
  if (Number.isNaN(new Date(milliseconds).getTime())) return String(seconds);
  return `${new Date(milliseconds).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
