import { invalid } from "../base/errors.ts";
import { isTimeZone } from "./time_zone.ts";

/**
 * The maximum number of items in a list whose operation sets no other limit. Before any handler runs, the kernel has
 * already enforced the limits of the installation, `limits.listItems` and `limits.textLength`.
 */
export const MAX_LIST_LENGTH = 1000;

/**
 * Checks a text field.
 *
 * @param limits the allowed length after trimming, in UTF-16 code units; a `min` of 1 makes the field required
 * @returns the text without surrounding white space
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { textField } from "edgehelm";
 *
 * const name = textField("name", request.name, { min: 1, max: 64 });
 * ```
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

/**
 * Checks a required id.
 *
 * @throws RpcError invalid unless `value` is positive
 *
 * @example
 * ```ts
 * import { idField } from "edgehelm";
 *
 * const userId = idField("userId", request.userId);
 * ```
 */
export function idField(field: string, value: bigint): bigint {
  if (value <= 0n) throw invalid(field, `must be a positive id, got ${value}`);
  return value;
}

/**
 * Checks a field that takes one of a few values.
 *
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { choiceField } from "edgehelm";
 *
 * const type = choiceField("type", request.type, ["A", "AAAA", "CNAME"]);
 * ```
 */
export function choiceField<Choice extends string>(field: string, value: string, choices: readonly Choice[]): Choice {
  if ((choices as readonly string[]).includes(value)) return value as Choice;
  const allowed = choices.map((choice) => choice === "" ? "empty" : choice).join(", ");
  throw invalid(field, `must be one of ${allowed}, got "${value.slice(0, 60)}"`);
}

/**
 * Checks a list and each of its items.
 *
 * @param check called with the path of an item, such as `ids[2]`, and the item; returns the item to keep
 * @param limits `max` is the maximum number of items; `unique` refuses items that `check` returned before
 * @returns what `check` returned for each item
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { idField, listField } from "edgehelm";
 *
 * const groupIds = listField("groupIds", request.groupIds, idField, { max: 20, unique: true });
 * ```
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
 * Checks a list of references to other rows, each of which may be named once.
 *
 * @param key the member of a reference that holds the id
 * @param limits `max` is the maximum number of references
 * @returns each id with the path of its field, for errors about missing rows
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { referencesField } from "edgehelm/fields";
 *
 * for (const { field, setId } of referencesField("sets", request.sets, "setId", { max: 20 })) {
 *   await ruleSets.require(call, field, setId);
 * }
 * ```
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

/**
 * Checks a username.
 *
 * @param value 2 to 64 letters, digits, `_`, `.`, `@` or `-`, beginning with a letter or digit
 * @returns the name without surrounding white space
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { usernameField } from "edgehelm/fields";
 *
 * const username = usernameField("username", request.username);
 * ```
 */
export function usernameField(field: string, value: string): string {
  const name = value.trim();
  if (USERNAME.test(name)) return name;
  const format = "2 to 64 letters, digits, _ . @ or -, beginning with a letter or digit";
  throw invalid(field, `must be ${format}, got "${name.slice(0, 60)}"`);
}

/**
 * Checks a field that holds a time zone.
 *
 * @param value a name of the IANA time zone database such as Asia/Shanghai; empty means the installation's time zone
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { timeZoneField } from "edgehelm/fields";
 *
 * const timeZone = timeZoneField("timezone", request.timezone);
 * ```
 */
export function timeZoneField(field: string, value: string): string {
  const zone = textField(field, value, { max: 64 });
  if (zone === "" || isTimeZone(zone)) return zone;
  throw invalid(field, `must be a time zone of the IANA database such as Asia/Shanghai, got "${zone}"`);
}
