import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { UsageError } from "../api_cli/exit_codes.ts";
import { hasCode } from "../settings/files.ts";
import { isObject } from "./values.ts";

/** The file of a folder with the values of secrets by name. */
export const SECRETS_FILE = "secrets.yaml";

/** Returns the environment variable that can hold a secret. */
export function variableOf(name: string): string {
  return `EDGEHELM_SECRET_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}`;
}

/** Returns the name of a secret if a value of a file is one: `{ secret: <name> }`. */
export function secretName(value: unknown): string | undefined {
  if (!isObject(value) || Object.keys(value).length !== 1) return undefined;
  return typeof value["secret"] === "string" ? value["secret"] : undefined;
}

/** Returns the names of the secrets in a value of a file. */
export function namesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { secret } = value as { secret?: unknown };
  if (typeof secret === "string" && Object.keys(value).length === 1) return [secret];
  return Object.values(value).flatMap(namesIn);
}

/** Finds the values of secrets: in the environment or in the file of secrets. */
export class Secrets {
  /** The values in the file. */
  readonly values: ReadonlyMap<string, unknown>;

  constructor(values: ReadonlyMap<string, unknown>) {
    this.values = values;
  }

  /**
   * Reads the file of secrets of a folder, if there is one.
   *
   * @throws UsageError if other users of the machine can read it, or it is not valid
   */
  static async read(folder: string): Promise<Secrets> {
    const path = join(folder, SECRETS_FILE);
    try {
      const { mode } = await stat(path);
      if (process.platform !== "win32" && (mode & 0o077) !== 0) {
        throw new UsageError(`other users of this machine can read "${path}"; run: chmod 600 "${path}"`);
      }
      const { parse } = await import("yaml");
      const content = parse(await readFile(path, "utf8"));
      if (!isObject(content)) throw new UsageError(`${path}: must be a map of names and values`);
      return new Secrets(new Map(Object.entries(content)));
    } catch (error) {
      if (hasCode(error, "ENOENT")) return new Secrets(new Map());
      if ((error as Error).name === "YAMLParseError") throw new UsageError(`${path}: ${(error as Error).message}`);
      throw error;
    }
  }

  /** Returns the value of a secret; undefined if there is none. */
  value(name: string): unknown {
    return process.env[variableOf(name)] ?? this.values.get(name);
  }
}
