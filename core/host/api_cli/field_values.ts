import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import process from "node:process";
import type { ApiDocument, Schema } from "./api_document.ts";
import { UsageError } from "./exit_codes.ts";

/** The kind of a field, which decides how the text of a flag becomes a value. */
export type FieldKind = "integer" | "number" | "boolean" | "text" | "bytes" | "json";

/** A field of a request, as a flag. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly isList: boolean;
  readonly description: string;
  /** The values of a text, or the names of those of an enum; empty for others. */
  readonly choices: readonly string[];
  /** The names of the fields of an object or a JSON text; empty for others. */
  readonly members: readonly string[];
}

/** Returns the field that a property of a request is. */
export function fieldOf(document: ApiDocument, name: string, schema: Schema): Field {
  const { description: text = "", deprecated = false } = schema;
  const description = deprecated ? `(deprecated) ${text}` : text;
  const isList = typesOf(schema).includes("array");
  const value = isList ? schema.items ?? {} : schema;
  const choices = [value, ...value.anyOf ?? []].flatMap(({ enum: values = [] }) => values).filter(isChoice);
  return { name, isList, description, choices, kind: kindOf(value), members: membersOf(document, value) };
}

function isChoice(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function typesOf({ type = [], anyOf = [] }: Schema): string[] {
  return [...[type].flat(), ...anyOf.flatMap((schema) => [schema.type ?? []].flat())];
}

function kindOf(schema: Schema): FieldKind {
  const alternatives = [schema, ...schema.anyOf ?? []];
  const types = typesOf(schema);
  if (alternatives.some(({ $ref, contentMediaType }) => ($ref ?? contentMediaType) !== undefined)) return "json";
  if (alternatives.some(({ contentEncoding }) => contentEncoding !== undefined)) return "bytes";
  for (const kind of ["boolean", "integer", "number"] as const) if (types.includes(kind)) return kind;
  return types.includes("object") ? "json" : "text";
}

function membersOf(document: ApiDocument, schema: Schema): string[] {
  for (const alternative of [schema, ...schema.anyOf ?? []]) {
    const content = document.resolved(alternative.contentSchema ?? alternative);
    const { properties } = document.resolved(content.items ?? content);
    if (properties !== undefined) return Object.keys(properties);
  }
  return [];
}

/**
 * Reads the value of a field from a flag.
 *
 * @param text the value; `@path` reads it from a file, `@-` from the standard input
 * @throws UsageError that names the flag, the value and what is allowed
 */
export async function readValue(field: Field, text: string): Promise<unknown> {
  const { name, kind, choices } = field;
  const bytes = ["text", "bytes", "json"].includes(kind) ? await bytesOf(name, text) : Buffer.from(text);
  if (kind === "bytes") return bytes.toString("base64");
  const value = bytes.toString("utf8");
  if (kind === "text") return value;
  if (kind === "boolean" && ["true", "false"].includes(value)) return value === "true";
  if (choices.includes(value)) return value;
  if (kind === "integer" && /^-?\d{1,20}$/.test(value)) {
    return Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value).toString();
  }
  if (kind === "number" && value !== "" && Number.isFinite(Number(value))) return Number(value);
  if (kind === "json") return parsed(name, value);
  const allowed = choices.length > 0 ? `one of ${choices.join(", ")}` : ALLOWED[kind as keyof typeof ALLOWED];
  throw new UsageError(`--${name}: must be ${allowed}, got "${text}"`);
}

const ALLOWED = { boolean: "true or false", integer: "an integer", number: "a number" } as const;

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--${name}: must be JSON: ${(error as Error).message}`);
  }
}

/** Reads a whole request from a flag, in the same forms as the value of a field. */
export async function readRequest(text: string): Promise<Record<string, unknown>> {
  const request = parsed("request", (await bytesOf("request", text)).toString("utf8"));
  if (typeof request === "object" && request !== null && !Array.isArray(request)) return { ...request };
  throw new UsageError("--request: must be a JSON object");
}

async function bytesOf(name: string, text: string): Promise<Buffer> {
  if (!text.startsWith("@")) return Buffer.from(text);
  try {
    return text === "@-" ? await standardInput() : await readFile(text.slice(1));
  } catch (error) {
    throw new UsageError(`--${name}: cannot read "${text.slice(1)}": ${(error as Error).message}`);
  }
}

async function standardInput(): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}
