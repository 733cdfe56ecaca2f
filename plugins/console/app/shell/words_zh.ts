export { VALUES } from "../texts/values_zh.ts";
import { WORDS } from "../texts/words_zh.ts";

const MAX_PHRASE = 3;

const known = new Map(WORDS.split(";").map((entry) => entry.trim().split("=") as [string, string]));

/** Translates the words of a name: the longest known phrases first. A number of things ends with 数. */
export function chinese(words: readonly string[]): string {
  const [first, ...others] = words;
  if (first === "count" && others.length > 0) return `${chinese(others)}数`;
  const parts: string[] = [];
  for (let at = 0; at < words.length;) {
    const length = lengths(words.length - at).find((size) => known.has(words.slice(at, at + size).join(" ")));
    parts.push(length === undefined ? words[at]! : known.get(words.slice(at, at + length).join(" "))!);
    at += length ?? 1;
  }
  return parts.reduce((text, part) => /\w$/.test(text) || /^\w/.test(part) ? `${text} ${part}` : text + part, "")
    .trim();
}

function lengths(left: number): number[] {
  return Array.from({ length: Math.min(MAX_PHRASE, left) }, (_, index) => Math.min(MAX_PHRASE, left) - index);
}
