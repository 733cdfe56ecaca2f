import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import process from "node:process";
import { StartupError } from "../../../base/startup_error.ts";
import { requireLocalPath } from "../../settings/database_path.ts";
import { readEnvironment } from "../../settings/environment.ts";
import { errorMessage, exists, publish, sizeText, syncDirectory } from "../../settings/files.ts";
import { readSettings } from "../../settings/settings.ts";
import { parseFileAndForce } from "./arguments.ts";
import { appendChecksum } from "../checksum.ts";
import { type InstallationInfo, keyIdOf } from "../inspect.ts";
import { createPrivate } from "../format/private_file.ts";
import { Progress } from "../progress.ts";
import { snapshot } from "../snapshot.ts";

/**
 * Runs `backup <file> [--force]`: copies the current state of the database, even while a server uses it. The copy runs
 * in its own process and takes SQLite's read lock, so it disturbs the server no more than any other reader.
 *
 * @returns lines for the operator
 */
export async function backup(args: readonly string[]): Promise<string[]> {
  const { file, force } = parseFileAndForce("backup", args);
  const source = requireLocalPath(await readSettings(readEnvironment()));
  const target = resolve(file);
  if (!await exists(source)) throw new StartupError(`the database "${source}" does not exist`);
  if (!force && await exists(target)) throw targetExists(target);

  const draft = `${target}.${randomUUID()}.partial`;
  const removeSignalHandlers = removeOnSignal(draft);
  try {
    await createEmpty(draft);
    const installation = await copyInto(source, draft);
    await appendChecksum(draft);
    await sync(draft);
    const { size } = await stat(draft);
    if (force) await rename(draft, target);
    else if (!await publish(draft, target)) throw targetExists(target);
    await syncDirectory(dirname(target));
    return report(target, size, installation);
  } finally {
    await rm(draft, { force: true });
    removeSignalHandlers();
  }
}

async function copyInto(source: string, draft: string): Promise<InstallationInfo> {
  const progress = new Progress("backup");
  try {
    return await snapshot({ source, target: draft }, progress.show);
  } finally {
    progress.end();
  }
}

async function createEmpty(path: string): Promise<void> {
  try {
    await createPrivate(path);
  } catch (cause) {
    throw new StartupError(`cannot write the backup: ${errorMessage(cause)}`, { cause });
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

/** Removes the partial backup if the operator stops the command. */
function removeOnSignal(draft: string): () => void {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const stop = () => {
    rmSync(draft, { force: true });
    console.error("edgehelm: backup stopped; the partial file was removed");
    process.exit(1);
  };
  for (const signal of signals) process.once(signal, stop);
  return () => signals.forEach((signal) => process.removeListener(signal, stop));
}

function targetExists(target: string): StartupError {
  return new StartupError(`"${target}" already exists: choose another name or pass --force to overwrite it`);
}

function report(target: string, size: number, installation: InstallationInfo): string[] {
  return [
    `backed up installation ${installation.installationId} into ${target} (${sizeText(size)}, verified)`,
    `restoring it requires installation key ${
      keyIdOf(installation)
    }, which it does not contain: back up the key separately`,
  ];
}
