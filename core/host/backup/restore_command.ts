import { link, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { StartupError } from "../../base/startup_error.ts";
import { fileToCopy } from "../settings/database_path.ts";
import { type Environment, readEnvironment } from "../settings/environment.ts";
import { exists, hasCode, sizeText, syncDirectory, wordCause } from "../settings/files.ts";
import { findInstallationKey } from "../load/installation_key.ts";
import { readSettings } from "../settings/settings.ts";
import { Connection } from "../sqlite/connection.ts";
import { ProcessLock } from "../sqlite/process_lock.ts";
import { fileAndForce } from "./arguments.ts";
import { checkedContent } from "./checksum.ts";
import { inspect, type Inspected, keyIdOf } from "./inspect.ts";
import { Progress } from "./progress.ts";

/**
 * `restore <file> [--force]`: puts a backup in the place of the database, whole or not at all.
 *
 * @returns lines for the operator
 */
export async function restore(words: readonly string[]): Promise<string[]> {
  const { file, force } = fileAndForce("restore", words);
  const environment = readEnvironment();
  const settings = await readSettings(environment);
  const target = fileToCopy(settings);
  const source = resolve(file);
  if (!await exists(source)) throw new StartupError(`there is no backup at "${source}"`);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const lock = new ProcessLock(target);
  let isDone = false;
  try {
    const isThere = await exists(target) || await exists(`${target}-wal`);
    if (isThere && !force) {
      throw new StartupError(`there is a database at "${target}" already: with --force it is put aside`);
    }
    const draft = `${target}.restoring`;
    try {
      const bytes = await copyChecked(source, draft);
      const inspected = inspect(draft);
      const keyNotice = await checkKey(inspected, environment, settings.dataDirectory);
      const aside = isThere ? await putAside(target) : undefined;
      await rename(draft, target);
      await syncDirectory(dirname(target));
      isDone = true;
      return [
        `restored installation ${inspected.installationId} into ${target} (${sizeText(bytes)})`,
        ...aside === undefined ? [] : [`the database that was there is now ${aside}`],
        keyNotice,
      ];
    } finally {
      await rm(draft, { force: true });
    }
  } finally {
    lock.release(isDone);
  }
}

/** Copies what the checksum vouches for, and answers its size. */
async function copyChecked(source: string, draft: string): Promise<number> {
  const { bytes, chunks } = await checkedContent(source);
  await rm(draft, { force: true });
  const progress = new Progress("restore");
  const file = await open(draft, "wx", 0o600);
  try {
    let written = 0;
    for await (const chunk of chunks()) {
      await file.writeFile(chunk);
      progress.show(written += chunk.length, bytes);
    }
    await file.sync();
  } catch (cause) {
    if (hasCode(cause, "ENOSPC")) throw new StartupError(`the disk of "${dirname(draft)}" is full`, { cause });
    throw cause;
  } finally {
    await file.close();
    progress.end();
  }
  return bytes;
}

async function checkKey(inspected: Inspected, env: Environment, dataDirectory: string): Promise<string> {
  const needed = keyIdOf(inspected);
  const key = await findInstallationKey({ env, dataDirectory, remote: false });
  if (key === undefined) return `it needs the installation key ${needed}: put it in place before the server starts`;
  if (await key.matches(inspected.keyCheck)) return `the installation key ${needed} is at hand`;
  throw new StartupError(
    `the backup needs the installation key ${needed}, the one at hand is ${key.id}: set EDGEHELM_KEY or ` +
      "EDGEHELM_KEY_FILE to the right one, or put it in place",
  );
}

/** Gives the present database another name as well, so that at no moment there is none. Answers that name. */
async function putAside(target: string): Promise<string> {
  const aside = `${target}.before-${new Date().toISOString().replace(/[:.]/g, "-")}`;
  foldLog(target);
  for (const ending of ["", "-wal"]) {
    if (await exists(target + ending)) await link(target + ending, aside + ending);
  }
  await syncDirectory(dirname(target));
  // They belong to the old file and would be played into the new one.
  for (const ending of ["-wal", "-shm"]) await rm(target + ending, { force: true });
  return aside;
}

/** Moves the write-ahead log into the file; a database that is damaged keeps it beside it. */
function foldLog(target: string): void {
  try {
    const connection = new Connection(target, []);
    try {
      connection.query("pragma journal_mode = delete");
    } finally {
      connection.close();
    }
  } catch (cause) {
    console.error(
      `the database that is there cannot be closed cleanly, and is put aside as it is: ${wordCause(cause)}`,
    );
  }
}
