import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { generateKeyText, InstallationKey } from "../../auth/installation_key.ts";
import { StartupError } from "../../base/startup_error.ts";
import { errorMessage, exists, hasCode, syncDirectory } from "../settings/files.ts";

export interface InstallationKeyOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory of the key file, in which the key of a local database is created if it is missing. */
  readonly dataDirectory: string;
  /** True if the database is remote. Its key is never created, so it must be configured. */
  readonly remote: boolean;
}

export interface LoadedInstallationKey {
  readonly key: InstallationKey;
  /** Lines for the operator. */
  readonly notices: readonly string[];
}

/**
 * Loads the installation key from EDGEHELM_KEY, from the file EDGEHELM_KEY_FILE or from the data directory. Creates the
 * key of a local database if there is none.
 *
 * @throws StartupError if the key is missing, cannot be read or cannot be created
 */
export async function loadInstallationKey(options: InstallationKeyOptions): Promise<LoadedInstallationKey> {
  const { env, dataDirectory, remote } = options;
  const configured = await configuredKey(env);
  if (configured !== undefined) return configured;
  if (remote) {
    throw new StartupError(
      "a remote database needs an installation key: set EDGEHELM_KEY or EDGEHELM_KEY_FILE to 32 random bytes as base64",
    );
  }
  const path = keyFile(dataDirectory);
  const isNew = await createKeyFile(path);
  const { key, notices } = await readKeyFile(path, "the installation key");
  if (!isNew) return { key, notices };
  const advice = `created the installation key ${path}; keep a copy of it, separate from the database backups: ` +
    "a backup cannot be used without the key";
  return { key, notices: [advice, ...notices] };
}

/** Returns the installation key, or undefined if there is none. Never creates a key. */
export async function findInstallationKey(options: InstallationKeyOptions): Promise<InstallationKey | undefined> {
  const { env, dataDirectory, remote } = options;
  const configured = await configuredKey(env);
  if (configured !== undefined) return configured.key;
  const path = keyFile(dataDirectory);
  return !remote && await exists(path) ? (await readKeyFile(path, "the installation key")).key : undefined;
}

/** Returns the path of the key in the data directory, if it is there and no other one is configured. */
export async function ownKeyFile({ env, dataDirectory }: InstallationKeyOptions): Promise<string | undefined> {
  if (env.EDGEHELM_KEY !== undefined || env.EDGEHELM_KEY_FILE !== undefined) return undefined;
  const path = keyFile(dataDirectory);
  return await exists(path) ? path : undefined;
}

function keyFile(dataDirectory: string): string {
  return join(dataDirectory, "installation.key");
}

async function configuredKey(env: InstallationKeyOptions["env"]): Promise<LoadedInstallationKey | undefined> {
  if (env.EDGEHELM_KEY !== undefined) {
    return { key: await InstallationKey.fromText(env.EDGEHELM_KEY, "EDGEHELM_KEY"), notices: [] };
  }
  if (env.EDGEHELM_KEY_FILE === undefined) return undefined;
  return await readKeyFile(env.EDGEHELM_KEY_FILE, "EDGEHELM_KEY_FILE");
}

async function readKeyFile(path: string, source: string): Promise<LoadedInstallationKey> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new StartupError(`cannot read ${source} from "${path}": ${errorMessage(cause)}`, { cause });
  });
  const key = await InstallationKey.fromText(text, `${source} in "${path}"`);
  const isExposed = process.platform !== "win32" && ((await stat(path)).mode & 0o077) !== 0;
  return {
    key,
    notices: isExposed ? [`other users of this machine can read the key in "${path}"; run chmod 600`] : [],
  };
}

/**
 * Creates the key file atomically, unless it exists. Of several processes that start at once, one creates it.
 *
 * @returns true if this process created the file
 */
async function createKeyFile(path: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  try {
    if (await exists(path)) return false;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeDurably(draft, `${generateKeyText()}\n`);
    // Unlike a rename, a link fails if the name exists. Unlike a write, it never exposes a partial file.
    await link(draft, path);
    await syncDirectory(dirname(path));
    return true;
  } catch (cause) {
    if (hasCode(cause, "EEXIST") && await exists(path)) return false;
    throw new StartupError(
      `cannot create the installation key "${path}": ${errorMessage(cause)}; make the directory writable, or set ` +
        "EDGEHELM_KEY or EDGEHELM_KEY_FILE",
      { cause },
    );
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
