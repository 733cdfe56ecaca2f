import { computed, signal } from "@preact/signals";
import { en, type Texts } from "./en.ts";
import { zh } from "./zh.ts";

export const LANGUAGES = { en, zh } as const;
export type Language = keyof typeof LANGUAGES;

const STORED = "edgehelm.language";

/** The language of the reader: the chosen one, or that of the browser. */
export const language = signal<Language>(initial());

/** The texts in the language of the reader. */
export const texts = computed<Texts>(() => LANGUAGES[language.value]);

export function chooseLanguage(chosen: Language): void {
  language.value = chosen;
  localStorage.setItem(STORED, chosen);
  document.documentElement.lang = chosen;
}

function initial(): Language {
  const wanted = localStorage.getItem(STORED) ?? navigator.language;
  return wanted.toLowerCase().startsWith("zh") ? "zh" : "en";
}

/** Formats a number for the reader. */
export function count(value: bigint | number): string {
  return new Intl.NumberFormat(language.value).format(value);
}

/** Puts a number into a text, in the form that the language wants for it. */
export function plural(forms: Readonly<Record<"one" | "other", string>>, value: number): string {
  const form = new Intl.PluralRules(language.value).select(value) === "one" ? forms.one : forms.other;
  return form.replace("{n}", count(value));
}

/** Formats unix seconds in the time zone of the reader. */
export function time(seconds: bigint): string {
  const format = new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" });
  return format.format(Number(seconds) * 1000);
}

const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** Formats unix seconds as the time since then or until then. */
export function relativeTime(seconds: bigint): string {
  const distance = Number(seconds) - Date.now() / 1000;
  const [unit, length] = STEPS.find(([, length]) => Math.abs(distance) >= length) ?? ["second", 1];
  return new Intl.RelativeTimeFormat(language.value, { numeric: "auto" }).format(Math.round(distance / length), unit);
}
