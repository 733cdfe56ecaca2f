import { type DescField, ScalarType } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import { bytesText } from "../texts/amounts.ts";
import { texts } from "../texts/mod.ts";
import { linkTo } from "../shell/route.ts";
import { valueText } from "../shell/names.ts";
import { choices, resources } from "../shell/state.ts";
import { Flag } from "./flag.tsx";
import { Moment } from "./lists/moment.tsx";
import { isEmpty, JsonView } from "./json/json_view.tsx";
import { type Json, parsed } from "./json/value.ts";
import { Secret } from "./secrets/secret.tsx";
import { isSecretName } from "./secrets/secret_names.ts";
import { State } from "./state.tsx";
import { statusOf } from "./status_words.ts";

type Fields = Readonly<Record<string, unknown>>;

const MAX_SHORT = 80;
const NAMES = ["name", "username", "fullname", "title", "code", "uniqueId", "description"];

/** Shows the value of a field: short in a table, whole on the page of an object. */
export function Value({ field, value, isShort }: { field: DescField; value: unknown; isShort?: boolean }): JSX.Element {
  if (isBlank(value)) return <span class="dim">{isShort ? "" : texts.value.none}</span>;
  if (field.fieldKind === "list") {
    const items = value as readonly unknown[];
    return <>{isShort ? items.slice(0, 3).map(textOf).join(", ") : items.map(textOf).join(", ")}</>;
  }
  if (field.fieldKind === "message") return <Nested field={field} value={value as Fields} isShort={isShort === true} />;
  if (field.scalar === ScalarType.BOOL) return <Flag name={field.name} value={value === true} />;
  if (isTime(field)) return <Moment at={BigInt(value as bigint)} />;
  if (field.scalar === ScalarType.BYTES) return <Bytes value={value as Uint8Array} isShort={isShort} />;
  if (isSecretName(field.name)) return <Secret value={textOf(value)} />;
  const text = textOf(value);
  const status = statusOf(field, text);
  if (status !== undefined) return <State {...status} />;
  if (choices.value.get(`${field.parent.typeName}.${field.name}`)?.has(text)) return <>{valueText(text)}</>;
  const shown = isShort && text.length > MAX_SHORT ? `${text.slice(0, MAX_SHORT)}…` : text;
  return <span class={isCode(field) ? "mono" : undefined} title={shown === text ? undefined : text}>{shown}</span>;
}

/** True if the value says nothing. */
export function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === 0n) return true;
  if (value instanceof Uint8Array) return value.length === 0 || isEmpty(jsonIn(value) ?? false);
  return Array.isArray(value) && value.length === 0;
}

/** Returns the most telling text of a value: of a message, its name. */
export function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const fields = value as Fields;
  const name = NAMES.map((key) => fields[key]).find((text) => typeof text === "string" && text !== "");
  if (name !== undefined) return name as string;
  return fields["id"] === undefined ? JSON.stringify(value, replacer) : String(fields["id"]);
}

/** True if the field is a time in unix seconds. */
export function isTime({ name, scalar }: DescField): boolean {
  return scalar === ScalarType.INT64 && /(At|Time)$/.test(name);
}

/** True if the text of the field is read by machines, and shown in monospace. */
export function isCode({ name, scalar }: DescField): boolean {
  return scalar !== ScalarType.STRING
    ? /(^id|Id)$/.test(name)
    : /(id|code|ip|value|hash|key|secret|url|dir|token)$/i.test(name);
}

/** Bytes beyond this length are not looked into. */
const MAX_JSON = 65_536;

/** Returns the JSON that bytes contain, if they do. */
function jsonIn(value: Uint8Array): Json | undefined {
  if (value.length > MAX_JSON) return undefined;
  return parsed(new TextDecoder().decode(value));
}

export function replacer(key: string, value: unknown): unknown {
  if (key.startsWith("$")) return undefined;
  if (typeof value === "bigint") return Number(value);
  return value instanceof Uint8Array ? jsonIn(value) ?? bytesText(value.length) : value;
}

/** Another object inside this one, with a link to its page. */
function Nested({ field, value, isShort }: { field: DescField; value: Fields; isShort: boolean }): JSX.Element {
  const resource = resources.value.find(({ message, find }) =>
    find !== undefined && message.typeName === field.message?.typeName
  );
  const { id } = value as { readonly id?: bigint };
  if (resource === undefined || id === undefined) {
    if (isShort || NAMES.some((name) => name in value)) return <>{textOf(value)}</>;
    const said = Object.entries(value).filter(([key, part]) =>
      !key.startsWith("$") && part !== false && !isBlank(part)
    );
    if (said.length === 0) return <span class="dim">{texts.value.none}</span>;
    return <JsonView value={JSON.parse(JSON.stringify(Object.fromEntries(said), replacer))} />;
  }
  return <a class="link" href={linkTo(["resource", resource.noun, id])}>{textOf(value)}</a>;
}

function Bytes(
  { value, isShort }: { value: Uint8Array; isShort?: boolean | undefined },
): JSX.Element {
  const json = jsonIn(value);
  if (json === undefined || typeof json !== "object") return <>{bytesText(value.length)}</>;
  return isShort ? <span class="mono dim">{"{…}"}</span> : <JsonView value={json} />;
}
