import { readFileSync } from "node:fs";
import process from "node:process";
import { StartupError } from "../../base/startup_error.ts";

const NAMES = [
  "EDGEHELM_MANIFEST",
  "EDGEHELM_DATA",
  "EDGEHELM_HTTP_PORT",
  "EDGEHELM_GRPC_PORT",
  "EDGEHELM_DATABASE_URL",
  "EDGEHELM_DATABASE_TOKEN",
  "EDGEHELM_LOG",
  "EDGEHELM_KEY",
  "EDGEHELM_KEY_FILE",
  "EDGEHELM_ADMIN_ACCESS_KEY_ID",
  "EDGEHELM_ADMIN_ACCESS_KEY",
  "EDGEHELM_ADMIN_ACCESS_KEY_FILE",
] as const;

/** The environment variables that Edgehelm knows; an empty one counts as unset. */
export type Environment = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

/**
 * Reads the environment: the only place that does.
 *
 * @throws StartupError for an EDGEHELM_ name that is not known, since it is most likely misspelt
 */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>> = process.env): Environment {
  const known: readonly string[] = NAMES;
  const unknown = Object.keys(variables).filter((name) => name.startsWith("EDGEHELM_") && !known.includes(name));
  if (unknown.length > 0) {
    throw new StartupError(
      unknown.map((name) => `the environment variable ${name} is not known; known: ${NAMES.join(", ")}`),
    );
  }
  return Object.fromEntries(NAMES.flatMap((name) => variables[name] ? [[name, variables[name]]] : []));
}

/**
 * The value of a setting that may be a reference: `env:NAME` or `file:/path`.
 *
 * @param at where the setting stands, for the error
 */
export function resolveReference(at: string, value: string): string {
  if (value.startsWith("env:")) {
    const found = process.env[value.slice(4)];
    if (found === undefined) throw new StartupError(`${at}: the environment variable ${value.slice(4)} is not set`);
    return found;
  }
  if (value.startsWith("file:")) return readSecretFile(at, value.slice(5));
  return value;
}

/** The text of a file that holds one secret, without the line feed that editors add. */
export function readSecretFile(at: string, path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (cause) {
    throw new StartupError(`${at}: the file ${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
