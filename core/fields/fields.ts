import { invalid } from "../base/errors.ts";

/**
 * The most items of a list, where its operation does not say. What an installation allows at most (`limits.listItems`
 * and `limits.textLength`) the kernel checks before any handler runs.
 */
export const MAX_LIST_LENGTH = 1000;

/**
 * Checks a text field, and trims the white space around it.
 *
 * @param limits `min` and `max` count characters; `min` 1 makes it required
 */
export function textField(
  field: string,
  value: string,
  { min = 0, max = 255 }: { readonly min?: number; readonly max?: number } = {},
): string {
  const text = value.trim();
  if (text.length < min) throw invalid(field, min === 1 ? "must not be empty" : `must have at least ${min} characters`);
  if (text.length > max) throw invalid(field, `must have at most ${max} characters, got ${text.length}`);
  return text;
}

/** Checks a required id. */
export function idField(field: string, value: bigint): bigint {
  if (value <= 0n) throw invalid(field, `must be a positive id, got ${value}`);
  return value;
}

/** Checks a field that takes one of a few words. */
export function choiceField<Word extends string>(field: string, value: string, words: readonly Word[]): Word {
  if ((words as readonly string[]).includes(value)) return value as Word;
  throw invalid(field, `must be one of ${words.join(", ")}, got "${value.slice(0, 60)}"`);
}

/**
 * Checks the length of a list, and each of its items.
 *
 * @param limits `max` counts items; `unique` refuses an item that is there already
 */
export function listField<Item, Checked>(
  field: string,
  values: readonly Item[],
  check: (field: string, value: Item) => Checked,
  { max = MAX_LIST_LENGTH, unique = false }: { readonly max?: number; readonly unique?: boolean } = {},
): Checked[] {
  if (values.length > max) throw invalid(field, `must have at most ${max} items, got ${values.length}`);
  const checked = values.map((value, index) => check(`${field}[${index}]`, value));
  if (unique) refuseRepeated(checked, (index) => `${field}[${index}]`);
  return checked;
}

/**
 * Checks the ids that a list of references names, each of them once; answers them with the fields that named them.
 *
 * @param key the member of a reference that is the id
 */
export function referencesField<Key extends string>(
  field: string,
  references: readonly Readonly<Record<Key, bigint>>[],
  key: Key,
  { max }: { readonly max: number },
): ({ readonly field: string } & Readonly<Record<Key, bigint>>)[] {
  const ids = listField(field, references, (at, reference) => idField(`${at}.${key}`, reference[key]), { max });
  refuseRepeated(ids, (index) => `${field}[${index}].${key}`);
  return ids.map((id, index) => ({ field: `${field}[${index}].${key}`, ...{ [key]: id } as Record<Key, bigint> }));
}

function refuseRepeated(values: readonly unknown[], fieldOf: (index: number) => string): void {
  const seen = new Set<unknown>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) {
      throw invalid(fieldOf(index), `${typeof value === "string" ? `"${value}"` : value} is listed twice`);
    }
    seen.add(value);
  }
}

const USERNAME = /^[A-Za-z0-9][A-Za-z0-9_.@-]{1,63}$/;

/** Checks a username: what people type to log in and what logs show. */
export function usernameField(field: string, value: string): string {
  const name = value.trim();
  if (USERNAME.test(name)) return name;
  const form = "2 to 64 letters, digits, _ . @ or -, beginning with a letter or digit";
  throw invalid(field, `must be ${form}, got "${name.slice(0, 60)}"`);
}

/** Checks a time zone; empty means the installation's. */
export function timeZoneField(field: string, value: string): string {
  const zone = textField(field, value, { max: 64 });
  if (zone === "" || (/^[a-z]/i.test(zone) && isKnownZone(zone))) return zone;
  throw invalid(field, `must be a time zone of the IANA database such as Asia/Shanghai, got "${zone}"`);
}

function isKnownZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch {
    return false;
  }
}
