import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { generateKeyText, InstallationKey } from "../../auth/installation_key.ts";
import { StartupError } from "../../base/startup_error.ts";
import { exists, hasCode, syncDirectory, wordCause } from "../settings/files.ts";

export interface InstallationKeyOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the key of a local database is kept, and made when it is missing. */
  readonly dataDirectory: string;
  /** Whether the database is reached over a network; then the key must be given. */
  readonly remote: boolean;
}

export interface LoadedInstallationKey {
  readonly key: InstallationKey;
  /** What the operator should know, a line each. */
  readonly notices: readonly string[];
}

/** Finds the installation key: EDGEHELM_KEY, else EDGEHELM_KEY_FILE, else the file beside a local database. */
export async function loadInstallationKey(options: InstallationKeyOptions): Promise<LoadedInstallationKey> {
  const { env, dataDirectory, remote } = options;
  const given = await givenKey(env);
  if (given !== undefined) return given;
  if (remote) {
    throw new StartupError(
      "a remote database needs an installation key: set EDGEHELM_KEY or EDGEHELM_KEY_FILE to 32 random bytes as base64",
    );
  }
  const path = keyFile(dataDirectory);
  const made = await makeKeyFile(path);
  const { key, notices } = await readKeyFile(path, "the installation key");
  if (!made) return { key, notices };
  const advice = `made the installation key ${path}; keep a copy of it, apart from backups of the database: ` +
    "without the key a backup cannot be used";
  return { key, notices: [advice, ...notices] };
}

/** The installation key if there is one; makes none. */
export async function findInstallationKey(options: InstallationKeyOptions): Promise<InstallationKey | undefined> {
  const { env, dataDirectory, remote } = options;
  const given = await givenKey(env);
  if (given !== undefined) return given.key;
  const path = keyFile(dataDirectory);
  return !remote && await exists(path) ? (await readKeyFile(path, "the installation key")).key : undefined;
}

function keyFile(dataDirectory: string): string {
  return join(dataDirectory, "installation.key");
}

async function givenKey(env: InstallationKeyOptions["env"]): Promise<LoadedInstallationKey | undefined> {
  if (env.EDGEHELM_KEY !== undefined) {
    return { key: await InstallationKey.fromText(env.EDGEHELM_KEY, "EDGEHELM_KEY"), notices: [] };
  }
  if (env.EDGEHELM_KEY_FILE === undefined) return undefined;
  return await readKeyFile(env.EDGEHELM_KEY_FILE, "EDGEHELM_KEY_FILE");
}

async function readKeyFile(path: string, source: string): Promise<LoadedInstallationKey> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new StartupError(`${source} cannot be read from "${path}": ${wordCause(cause)}`, { cause });
  });
  const key = await InstallationKey.fromText(text, `${source} in "${path}"`);
  const exposed = process.platform !== "win32" && ((await stat(path)).mode & 0o077) !== 0;
  return { key, notices: exposed ? [`other users of this machine can reach the key in "${path}"; run chmod 600`] : [] };
}

/** Makes the file unless it exists, whole and on disk or not at all; of two starts at once, one makes it. */
async function makeKeyFile(path: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  try {
    if (await exists(path)) return false;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeDurably(draft, `${generateKeyText()}\n`);
    // A link, since it fails when the name is taken and never shows a file that is half written.
    await link(draft, path);
    await syncDirectory(dirname(path));
    return true;
  } catch (cause) {
    if (hasCode(cause, "EEXIST") && await exists(path)) return false;
    throw new StartupError(
      `the installation key cannot be made at "${path}": ${wordCause(cause)}; make the directory writable, or set ` +
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
