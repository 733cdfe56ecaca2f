import { choiceField, invalid, listField, textField } from "edgehelm";
import type { NamedValue } from "edgehelm/proto/shapes/message_media_pb.js";

const MAX_NAMED_VALUES = 100;

/** Checks a URL with one of some schemes. */
export function urlField(field: string, value: string, scheme: RegExp, schemes: string): string {
  const url = textField(field, value, { min: 1, max: 2000 });
  if (scheme.test(url) && URL.canParse(url)) return url;
  throw invalid(field, `must be a URL with ${schemes}, got "${url.slice(0, 60)}"`);
}

/** Checks the format of a text. */
export function formatField(field: string, value: string): void {
  if (value !== "") choiceField(field, value, ["text", "markdown"]);
}

/** Checks names and values. */
export function valuesField(field: string, values: readonly NamedValue[]): void {
  listField(field, values, (at, { name, value }) => {
    textField(`${at}.name`, name, { min: 1 });
    textField(`${at}.value`, value, { max: 10_000 });
  }, { max: MAX_NAMED_VALUES });
}
