import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument, type YAMLMap } from "yaml";
import { nearest } from "../../base/nearest.ts";
import { UsageError } from "../api_cli/exit_codes.ts";
import { hasCode } from "../settings/files.ts";
import { LABEL, MARKER_FILE } from "./export_files.ts";
import type { Kind, Kinds } from "./kinds.ts";
import { keyText, unique } from "./labels.ts";
import { SECRETS_FILE } from "./secrets.ts";
import { Bytes, isObject, type Values } from "./values.ts";

/** An object that a file describes. */
export interface Wanted {
  readonly kind: Kind;
  readonly label: string;
  /** The fields that the file has, in which references are labels. */
  readonly values: Values;
  /** Returns where the file has a field, or the object. */
  place(field?: string): string;
}

/** The objects of each kind for which there is a file, in its order. */
export type WantedObjects = ReadonlyMap<string, readonly Wanted[]>;

/**
 * Reads the files of a folder.
 *
 * @throws UsageError that names file, line and what is allowed
 */
export async function readFiles(folder: string, kinds: Kinds): Promise<WantedObjects> {
  const wanted = new Map<string, Wanted[]>();
  for (const name of (await namesIn(folder)).toSorted()) {
    if (!name.endsWith(".yaml") || [MARKER_FILE, SECRETS_FILE].includes(name)) continue;
    const path = join(folder, name);
    const kind = kinds.byName.get(name.slice(0, -".yaml".length));
    if (kind === undefined) {
      throw new UsageError(`${path}: no kind has this name${suggestion(name.slice(0, -5), kinds.byName.keys())}`);
    }
    wanted.set(kind.name, await new KindFile(folder, path, kind).read());
  }
  if (wanted.size === 0) throw new UsageError(`"${folder}" has no files such as <Kind>.yaml`);
  return wanted;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) throw new UsageError(`"${folder}" does not exist`);
    throw error;
  }
}

function suggestion(name: string, names: Iterable<string>): string {
  const similar = nearest(name, names);
  return similar === undefined ? "" : `; did you mean ${similar}?`;
}

/** The file of one kind. */
class KindFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #kind: Kind;
  readonly #lines = new LineCounter();

  constructor(folder: string, path: string, kind: Kind) {
    this.#folder = folder;
    this.#path = path;
    this.#kind = kind;
  }

  async read(): Promise<Wanted[]> {
    const document = parseDocument(await readFile(this.#path, "utf8"), { lineCounter: this.#lines });
    const [error] = document.errors;
    if (error !== undefined) throw new UsageError(`${this.#path}:${error.linePos?.[0].line ?? 1}: ${error.message}`);
    const { contents } = document;
    if (!isSeq(contents)) throw new UsageError(`${this.#path}:1: must be a list of objects; an empty one is []`);
    const labels = new Map<string, number>();
    const wanted: Wanted[] = [];
    for (const node of contents.items) {
      if (!isMap(node)) throw new UsageError(`${this.#path}: each item must be an object with fields`);
      wanted.push(await this.#object(node, node.toJS(document), labels));
    }
    return wanted;
  }

  async #object(node: YAMLMap, content: Values, labels: Map<string, number>): Promise<Wanted> {
    const kind = this.#kind;
    const place = (field?: string) => `${this.#path}:${this.#line(node, field)}`;
    const values: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(content)) {
      if (name === LABEL && !kind.fields.has(LABEL)) continue;
      const field = kind.fields.get(name);
      if (field === undefined) {
        const fields = [...kind.fields.keys()];
        const hint = suggestion(name, fields) || `; its fields are ${fields.join(", ")}`;
        throw new UsageError(`${place(name)}: ${kind.name} has no field "${name}"${hint}`);
      }
      if (field.isList !== Array.isArray(value) && field.type !== "json") {
        throw new UsageError(`${place(name)}: ${name}: must ${field.isList ? "" : "not "}be a list`);
      }
      values[name] = field.type === "bytes" && !field.isSecret ? await this.#bytes(value, place(name)) : value;
    }
    const { [LABEL]: given } = content;
    if (given === undefined && kind.list === undefined) {
      throw new UsageError(`${place()}: label: is missing; it is the name by which other files refer to the object`);
    }
    const label = given === undefined ? keyText(kind, values) : String(given);
    const missing = kind.key.map((path) => path.split(".")[0]!).find((name) =>
      !(name in values) && kind.key.length === 1
    );
    if (missing !== undefined && kind.list !== undefined) {
      throw new UsageError(`${place()}: ${missing}: is missing; it tells objects of the kind apart`);
    }
    const earlier = labels.get(label);
    if (earlier !== undefined) {
      throw new UsageError(
        `${place()}: "${label}" is in line ${earlier} already; a second object needs a label of its own, such as ` +
          `"${unique(label, new Set(labels.keys()))}"`,
      );
    }
    labels.set(label, this.#line(node));
    return { kind, label, values, place };
  }

  async #bytes(value: unknown, place: string): Promise<unknown> {
    if (!isObject(value) || typeof value["file"] !== "string") {
      throw new UsageError(`${place}: must name a file in the folder: { file: <path> }`);
    }
    const path = value["file"];
    if (path.startsWith("/") || path.split(/[\\/]/).includes("..")) {
      throw new UsageError(`${place}: "${path}" must be a path inside the folder`);
    }
    try {
      return new Bytes((await readFile(join(this.#folder, path))).toString("base64"));
    } catch (error) {
      throw new UsageError(`${place}: cannot read "${path}": ${(error as Error).message}`);
    }
  }

  #line(node: YAMLMap, field?: string): number {
    const pair = node.items.find(({ key }: Pair) => isScalar(key) && key.value === field);
    const range = (isScalar(pair?.key) ? pair.key.range : undefined) ?? node.range;
    return this.#lines.linePos(range?.[0] ?? 0).line;
  }
}
