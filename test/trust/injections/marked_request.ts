import { type DescField, ScalarType } from "@bufbuild/protobuf";
import { jsonCodec } from "../../../core/protobuf/json/codec.ts";
import { isJSON } from "../../matrix/json_fields.ts";
import type { TargetOperation } from "../target/installation.ts";

/** Sends the JSON of a request. Returns the code and the message of the envelope. */
export type Send = (operation: TargetOperation, body: string) => Promise<{ code: number; message: string }>;

/** A request in whose texts sqlmap injects. */
export interface MarkedRequest {
  readonly operation: TargetOperation;
  /** The JSON, with `*` at the end of each text. */
  readonly body: string;
  /** The paths of the texts, in their order. */
  readonly fields: readonly string[];
  /** False if the request without injections is refused as invalid, so that few injections reach a statement. */
  readonly isValid: boolean;
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const MARK = "*";
/** The texts to try in a field, until one is accepted. */
const CANDIDATES = ["x", "20260101", "202601", "example.com", "192.0.2.1", "a@example.com", "http", "type", "1"];
const MAX_TRIES = 40;

/**
 * Returns the request of an operation with a text in every text field; undefined if it has none.
 *
 * @param send tries which texts the operation accepts
 */
export async function markedRequest(operation: TargetOperation, send: Send): Promise<MarkedRequest | undefined> {
  const { method: { input }, request } = operation;
  const values: Record<string, Json> = JSON.parse(jsonCodec(input).encode(request as never));
  for (const field of input.fields) {
    const value = values[field.name];
    if (isJSON(field) && typeof value === "string" && value !== "") values[field.name] = JSON.parse(decoded(value));
    else if (isText(field) && (value === undefined || value === "" || hasMark(value))) {
      values[field.name] = field.fieldKind === "list" ? [CANDIDATES[0]!] : CANDIDATES[0]!;
    }
  }
  const isValid = await fill(operation, values, send);
  const fields: string[] = [];
  const body = JSON.stringify(marked(values, "", operation, fields));
  return fields.length === 0 ? undefined : { operation, body, fields, isValid };
}

/** Tries texts in the fields that errors name. Returns false if the request stays invalid. */
async function fill(operation: TargetOperation, values: Record<string, Json>, send: Send): Promise<boolean> {
  const tried = new Map<string, number>();
  for (let count = 0; count < MAX_TRIES; count++) {
    const { code, message } = await send(operation, JSON.stringify(values));
    if (code !== 400) return true;
    const name = /^\w+/.exec(message)?.[0] ?? "";
    const field = operation.method.input.fields.find((candidate) => candidate.name === name);
    const choice = /must be one of (?:empty, )?([^,\s]+)/.exec(message)?.[1];
    const next = tried.get(name) ?? 1;
    const text = next === 1 && choice !== undefined ? choice : CANDIDATES[next];
    if (field === undefined || !isText(field) || text === undefined) return false;
    tried.set(name, next + 1);
    values[name] = field.fieldKind === "list" ? [text] : text;
  }
  return false;
}

/** Returns the value with marked texts, and adds their paths to `fields`. */
function marked(value: Json, path: string, operation: TargetOperation, fields: string[]): Json {
  if (typeof value === "string") {
    if (isBytes(operation, path) || hasMark(value)) return value;
    fields.push(path);
    return value + MARK;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => marked(item, `${path}[${index}]`, operation, fields));
  const parts = Object.entries(value).map(([name, part]) =>
    [name, marked(part, path === "" ? name : `${path}.${name}`, operation, fields)] as const
  );
  return Object.fromEntries(parts);
}

function hasMark(value: Json): boolean {
  return JSON.stringify(value).includes(MARK);
}

function isText({ fieldKind, scalar, listKind }: DescField & { listKind?: string }): boolean {
  return scalar === ScalarType.STRING && (fieldKind === "scalar" || (fieldKind === "list" && listKind === "scalar"));
}

/** True for bytes other than JSON, whose text is base64. */
function isBytes({ method: { input } }: TargetOperation, path: string): boolean {
  return input.fields.find(({ name }) => name === path)?.scalar === ScalarType.BYTES;
}

function decoded(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}
