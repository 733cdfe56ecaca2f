import { language } from "../texts/mod.ts";
import { effect, signal } from "@preact/signals";
import { NOUNS } from "../texts/nouns.ts";
import { VALUES_EN } from "../texts/values_en.ts";
import { englishWord, partsOf, splitWords } from "./name_parts.ts";

/** The values of texts in Chinese, once they are loaded. */
const chineseValues = signal<Readonly<Record<string, string>>>({});
/** Translates the words of a name into Chinese, once that is loaded. */
const chinese = signal<(words: readonly string[]) => string>();
effect(() => {
  if (language.value !== "zh" || chinese.peek() !== undefined) return;
  import("./words_zh.ts").then((module) => {
    chinese.value = module.chinese;
    chineseValues.value = module.VALUES;
  }, () => undefined);
});

/**
 * Turns the name of a service or field into words: `nsDomainId` becomes `NS domain id`, `isOn` `On`, and `quotasJSON`
 * `Quotas`.
 */
export function words(name: string): string {
  const parts = partsOf(name);
  if (language.value === "zh" && chinese.value !== undefined) {
    return chinese.value(parts.map((part) => part.toLowerCase()));
  }
  const text = parts.map(englishWord).join(" ");
  // gRPC stays as it is
  return /^[a-z]+[A-Z]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns how a value of a text, such as `monthly` or `httpProxy`, is called in the language of the reader. */
export function valueText(value: string): string {
  if (language.value === "zh") return chineseValues.value[value] ?? value;
  if (!/^[a-z][a-zA-Z0-9_ ]*$/.test(value)) return value;
  return VALUES_EN[value] ?? splitWords(value).map(englishWord).join(" ");
}

/** Returns the name of a kind of object in the language of the reader, such as `domain`. */
export function nounOf(noun: string): string {
  return NOUNS[language.value][noun]?.[0] ?? words(noun);
}

/** Returns the name of several of a kind, such as `Domains`. */
export function plural(noun: string): string {
  const known = NOUNS[language.value][noun]?.[1];
  if (known !== undefined) return known;
  const text = words(noun);
  if (language.value === "zh") return text;
  if (/(s|x|ch|sh)$/.test(text)) return `${text}es`;
  return /[^aeiou]y$/.test(text) ? `${text.slice(0, -1)}ies` : `${text}s`;
}

/** Puts a verb before the name of a kind of object: `Add domain`, and without a space in Chinese. */
export function withNoun(verb: string, noun: string): string {
  return language.value === "zh" ? verb + nounOf(noun) : `${verb} ${nounOf(noun)}`;
}
