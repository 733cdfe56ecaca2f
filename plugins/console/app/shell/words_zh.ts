import { PHRASES } from "../texts/phrases_zh.ts";
import { ALONE, WORDS } from "../texts/words_zh.ts";
export { VALUES } from "../texts/values_zh.ts";

const known = entriesOf(`${WORDS};${PHRASES}`);
const alone = entriesOf(ALONE);
const MAX_PHRASE = Math.max(...[...known.keys()].map((phrase) => phrase.split(" ").length));

/**
 * Translates the words of a name: whole, if it is known, or the longest known phrases first. A number of things ends with
 * 数, and what is counted per something begins with it.
 */
export function chinese(words: readonly string[]): string {
  const name = words.join(" ");
  const whole = alone.get(name) ?? known.get(name);
  if (whole !== undefined) return whole;
  const per = words.lastIndexOf("per");
  if (per > 0 && per < words.length - 1) {
    return joined(["每", chinesePhrases(words.slice(per + 1)), chinesePhrases(words.slice(0, per))]);
  }
  return words[0] === "count" ? joined([chinesePhrases(words.slice(1)), "数"]) : chinesePhrases(words);
}

function chinesePhrases(words: readonly string[]): string {
  const parts: string[] = [];
  for (let at = 0; at < words.length;) {
    const length = lengths(words.length - at).find((size) => known.has(words.slice(at, at + size).join(" "))) ?? 1;
    const phrase = words.slice(at, at + length).join(" ");
    parts.push(known.get(phrase) ?? phrase);
    at += length;
  }
  return joined(parts);
}

/** Latin words stand apart from their neighbours. */
function joined(parts: readonly string[]): string {
  return parts.reduce((text, part) => {
    const isApart = text !== "" && (/\w$/.test(text) || /^\w/.test(part)) && !/^[（）]/.test(part);
    return isApart ? `${text} ${part}` : text + part;
  }, "");
}

function lengths(left: number): number[] {
  const longest = Math.min(MAX_PHRASE, left);
  return Array.from({ length: longest }, (_, index) => longest - index);
}

function entriesOf(text: string): ReadonlyMap<string, string> {
  return new Map(text.split(";").map((entry) => entry.trim().split("=") as [string, string]));
}
