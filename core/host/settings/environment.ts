import { readFileSync } from "node:fs";
import process from "node:process";
import { StartupError } from "../../base/startup_error.ts";

const NAMES = [
  "EDGEHELM_MANIFEST",
  "EDGEHELM_DATA",
  "EDGEHELM_HTTP_PORT",
  "EDGEHELM_GRPC_PORT",
  "EDGEHELM_METRICS_PORT",
  "EDGEHELM_DATABASE_URL",
  "EDGEHELM_DATABASE_TOKEN",
  "EDGEHELM_LOG",
  "EDGEHELM_KEY",
  "EDGEHELM_KEY_FILE",
  "EDGEHELM_INSTALLATION",
  "EDGEHELM_ADMIN_ACCESS_KEY_ID",
  "EDGEHELM_ADMIN_ACCESS_KEY",
  "EDGEHELM_ADMIN_ACCESS_KEY_FILE",
  "EDGEHELM_PROFILE",
] as const;

/** The environment variables of Edgehelm. An empty variable counts as unset. */
export type Environment = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

/**
 * Reads the environment variables.
 *
 * @throws StartupError if a variable starts with EDGEHELM_ but is unknown, since it is probably misspelt
 */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>> = process.env): Environment {
  const known: readonly string[] = NAMES;
  const unknown = Object.keys(variables).filter((name) => name.startsWith("EDGEHELM_") && !known.includes(name));
  if (unknown.length > 0) {
    throw new StartupError(
      unknown.map((name) => `unknown environment variable ${name}; known variables: ${NAMES.join(", ")}`),
    );
  }
  return Object.fromEntries(NAMES.flatMap((name) => variables[name] ? [[name, variables[name]]] : []));
}

/**
 * Resolves a setting that may be a reference, `env:NAME` or `file:/path`, to its value.
 *
 * @param at the path of the setting, for error messages
 * @throws StartupError if the variable is not set or the file cannot be read
 */
export function resolveReference(at: string, value: string): string {
  if (value.startsWith("env:")) {
    const variable = process.env[value.slice(4)];
    if (variable === undefined) throw new StartupError(`${at}: the environment variable ${value.slice(4)} is not set`);
    return variable;
  }
  if (value.startsWith("file:")) return readSecretFile(at, value.slice(5));
  return value;
}

/** Reads a file that holds one secret, without surrounding white space such as a final line feed. */
export function readSecretFile(at: string, path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (cause) {
    throw new StartupError(`${at}: cannot read the file ${path}: ${(cause as Error).message}`, { cause });
  }
}
