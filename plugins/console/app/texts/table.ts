import { computed, type ReadonlySignal } from "@preact/signals";
import { type Language, language } from "./mod.ts";

/** The same keys with other texts. */
type Widened<Texts> = {
  readonly [Key in keyof Texts]: Texts[Key] extends string ? string : Widened<Texts[Key]>;
};

/**
 * Returns the texts of an area in the language of the reader. Every language has the keys of the English texts.
 *
 * @example
 * ```ts
 * export const texts = textTable({ en: { renew: "Renew" }, zh: { renew: "续费" } });
 * ```
 */
export function textTable<const Texts extends object>(
  tables: { readonly en: Texts } & Readonly<Record<Exclude<Language, "en">, NoInfer<Widened<Texts>>>>,
): ReadonlySignal<Widened<Texts>> {
  return computed(() => (tables as unknown as Record<Language, Widened<Texts>>)[language.value]);
}
