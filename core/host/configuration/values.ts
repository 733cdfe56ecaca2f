import { Buffer } from "node:buffer";
import { SECRET_MASK } from "../../base/secret_names.ts";
import type { FieldDeclaration } from "../api_cli/api_document.ts";
import { type FileField, type Kinds, targetOf } from "./kinds.ts";

/** A reference to an object, by its id. Files have its label in the place. */
export class Reference {
  readonly kind: string;
  readonly id: string;

  constructor(kind: string, id: string) {
    this.kind = kind;
    this.id = id;
  }
}

/** Stands for a secret in what is printed. */
export const HIDDEN = "(secret)";

/** A value that must not be in the files; `value` is undefined if the installation does not tell it. */
export class Secret {
  readonly value: unknown;
  /** What keeps the stored secret, if it is sent back. */
  readonly kept: unknown;

  constructor(value: unknown) {
    this.value = value === SECRET_MASK ? undefined : value;
    this.kept = value;
  }

  toJSON(): string {
    return HIDDEN;
  }
}

/** Content for a file of its own, as base64. */
export class Bytes {
  readonly base64: string;

  constructor(base64: string) {
    this.base64 = base64;
  }
}

export type Values = Readonly<Record<string, unknown>>;

/** Returns true for an object with named members. */
export function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !(value instanceof Reference) && !(value instanceof Secret) && !(value instanceof Bytes);
}

/** Returns true for a value that a missing one means: false, 0, empty text, nothing. */
export function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.values(value).every(isBlank);
  return value === undefined || value === null || value === "" || value === false || value === 0 || value === "0";
}

/** Reads JSON that a response contains as base64; text that is none becomes undefined. */
export function jsonOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (value === "") return undefined;
  try {
    return JSON.parse(Buffer.from(value, "base64").toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Finds the value at a path of names; a list on the way gives the values of all its items. */
export function at(object: unknown, path: string): unknown {
  if (path === ".") return object;
  let value: unknown = object;
  for (const name of path.split(".")) {
    if (Array.isArray(value)) value = value.map((item) => isObject(item) ? member(item, name) : undefined);
    else value = isObject(value) ? member(value, name) : undefined;
  }
  return value;
}

/** Fields differ in their first letter only: restIsOn is RestIsOn of an object. */
function member(object: Values, name: string): unknown {
  if (name in object) return object[name];
  const other = Object.keys(object).find((key) => key.toLowerCase() === name.toLowerCase());
  return other === undefined ? undefined : object[other];
}

/** Finds the value of a request field in an object of the installation. */
export function lookUp(object: Values, request: string, from: string | undefined): unknown {
  if (from !== undefined) return at(object, from);
  const own = member(object, request);
  if (own !== undefined) return own;
  const [, stem, ending] = /^(.*?)(Id|Ids|JSON)$/.exec(request) ?? [];
  if (stem === undefined) return undefined;
  if (ending === "JSON") return member(object, stem);
  return at(object, ending === "Id" ? `${stem}.id` : `${stem}s.id`);
}

/** Converts values of fields between the installation and the files. */
export class ValueCodec {
  readonly #kinds: Kinds;

  constructor(kinds: Kinds) {
    this.#kinds = kinds;
  }

  /** Returns the value of a field from that of an object; undefined if the object does not tell it. */
  read(field: FileField, raw: unknown): unknown {
    if (field.isSecret) return isBlank(raw) ? undefined : new Secret(secretOf(field, raw));
    if (field.target !== undefined) return referenceOf(field.target, field.prefix, raw, field.isList);
    if (raw === undefined || raw === null) return undefined;
    if (field.type === "bytes") return raw === "" ? undefined : new Bytes(String(raw));
    return field.type === "json" ? this.#inner(field, jsonOf(raw), "", INWARD) : raw;
  }

  /**
   * Returns the value of a request from that of a field.
   *
   * @param put replaces references and secrets
   */
  write(field: FileField, value: unknown, put: Put): unknown {
    if (field.isSecret) {
      const secret = put.secret(value);
      return field.type === "bytes" && typeof secret === "string" ? base64Of(secret) : secret;
    }
    if (field.target !== undefined) return referred(field.target, field.prefix, value, put);
    if (field.type === "bytes") return value instanceof Bytes ? value.base64 : value;
    return field.type === "json" ? this.#inner(field, value, "", put) : value;
  }

  #inner(field: FileField, value: unknown, path: string, put: Put | typeof INWARD): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#inner(field, item, path, put));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).flatMap(([name, item]) => {
      const below = path === "" ? name : `${path}.${name}`;
      const declared = field.inner.get(below);
      if (declared?.ignored) return [];
      const next = this.#member(field, name, item, below, declared, put);
      return next === undefined ? [] : [[name, next]];
    });
    return Object.fromEntries(entries);
  }

  #member(
    field: FileField,
    name: string,
    item: unknown,
    path: string,
    declared: FieldDeclaration | undefined,
    put: Put | typeof INWARD,
  ): unknown {
    if (declared?.secret) return put !== INWARD ? put.secret(item) : isBlank(item) ? undefined : new Secret(item);
    const target = declared?.kind ?? targetOf(name, this.#kinds.byIdField);
    if (target !== undefined) {
      return put === INWARD
        ? referenceOf(target, "", item, Array.isArray(item)) ?? null
        : referred(target, "", item, put) ?? (Array.isArray(item) ? [] : 0);
    }
    if (declared?.json !== true) return this.#inner(field, item, path, put);
    if (put === INWARD) return this.#inner(field, jsonOf(item), path, put);
    return base64Of(JSON.stringify(this.#inner(field, item, path, put)));
  }
}

function secretOf({ type }: FileField, raw: unknown): unknown {
  if (type === "json") return jsonOf(raw);
  return type === "bytes" ? textOf(String(raw)) : raw;
}

/** Replaces references and secrets of files by values of requests. */
export interface Put {
  reference(kind: string, value: unknown): unknown;
  secret(value: unknown): unknown;
}

const INWARD = Symbol("from the installation");

function referenceOf(kind: string, prefix: string, raw: unknown, isList: boolean): unknown {
  if (Array.isArray(raw)) return raw.map((item) => referenceOf(kind, prefix, item, false));
  if (raw === undefined || raw === null) return isList ? undefined : prefix === "" ? null : undefined;
  const text = String(raw);
  if (prefix === "") return text === "0" || text === "" ? null : new Reference(kind, text);
  return text.startsWith(prefix) ? new Reference(kind, text.slice(prefix.length)) : text;
}

function referred(kind: string, prefix: string, value: unknown, put: Put): unknown {
  if (Array.isArray(value)) return value.map((item) => referred(kind, prefix, item, put));
  if (value === undefined || value === null) return value === null ? 0 : undefined;
  const id = value instanceof Reference ? value.id : put.reference(kind, value);
  if (prefix === "") return id;
  return id === undefined ? value : `${prefix}${id}`;
}

function base64Of(text: string): string {
  return text.startsWith(BINARY) ? text.slice(BINARY.length) : Buffer.from(text, "utf8").toString("base64");
}

const BINARY = "base64:";

/** Returns bytes as the text that a file of secrets has. */
function textOf(base64: string): string {
  const bytes = Buffer.from(base64, "base64");
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : `${BINARY}${base64}`;
}
