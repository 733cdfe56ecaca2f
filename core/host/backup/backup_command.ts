import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { chmod, open, rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import process from "node:process";
import { StartupError } from "../../base/startup_error.ts";
import { fileToCopy } from "../settings/database_path.ts";
import { readEnvironment } from "../settings/environment.ts";
import { exists, publish, sizeText, syncDirectory, wordCause } from "../settings/files.ts";
import { readSettings } from "../settings/settings.ts";
import { fileAndForce } from "./arguments.ts";
import { appendChecksum } from "./checksum.ts";
import { type Inspected, keyIdOf } from "./inspect.ts";
import { Progress } from "./progress.ts";
import { snapshot } from "./snapshot.ts";

/**
 * `backup <file> [--force]`: copies the database as it is at this moment, also while a server runs. It reads through
 * SQLite's own locks from a process of its own, so the server does not notice more than another reader.
 *
 * @returns lines for the operator
 */
export async function backup(words: readonly string[]): Promise<string[]> {
  const { file, force } = fileAndForce("backup", words);
  const source = fileToCopy(await readSettings(readEnvironment()));
  const target = resolve(file);
  if (!await exists(source)) throw new StartupError(`there is no database at "${source}" to back up`);
  if (!force && await exists(target)) throw taken(target);

  const draft = `${target}.${randomUUID()}.partial`;
  const stopWatching = removeWhenStopped(draft);
  try {
    await makeEmpty(draft);
    const inspected = await copyInto(source, draft);
    await appendChecksum(draft);
    await sync(draft);
    const { size } = await stat(draft);
    if (force) await rename(draft, target);
    else if (!await publish(draft, target)) throw taken(target);
    await syncDirectory(dirname(target));
    return report(target, size, inspected);
  } finally {
    await rm(draft, { force: true });
    stopWatching();
  }
}

async function copyInto(source: string, draft: string): Promise<Inspected> {
  const progress = new Progress("backup");
  try {
    return await snapshot({ source, target: draft }, progress.show);
  } finally {
    progress.end();
  }
}

async function makeEmpty(path: string): Promise<void> {
  try {
    await (await open(path, "wx", 0o600)).close();
    // Whatever the umask says.
    await chmod(path, 0o600);
  } catch (cause) {
    throw new StartupError(`the backup cannot be written: ${wordCause(cause)}`, { cause });
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Leaves nothing half behind when the operator gives up. */
function removeWhenStopped(draft: string): () => void {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const stop = () => {
    rmSync(draft, { force: true });
    console.error("edgehelm: the backup was stopped; nothing is left of it");
    process.exit(1);
  };
  for (const signal of signals) process.once(signal, stop);
  return () => signals.forEach((signal) => process.removeListener(signal, stop));
}

function taken(target: string): StartupError {
  return new StartupError(`"${target}" exists already: choose another name, or replace it with --force`);
}

function report(target: string, size: number, inspected: Inspected): string[] {
  return [
    `backed up installation ${inspected.installationId} into ${target} (${sizeText(size)}, checked)`,
    `to use it you need the installation key ${keyIdOf(inspected)}, which is not in it: keep a copy of that elsewhere`,
  ];
}
