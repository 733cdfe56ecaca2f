import { randomUUID } from "node:crypto";
import { copyFile, readFile, rename, rm, writeFile } from "node:fs/promises";
import { StartupError } from "../../base/startup_error.ts";
import type { PluginUse } from "../../kernel/check/check.ts";
import { requireSignIn } from "../load/sign_in.ts";
import { exists } from "../settings/files.ts";
import { readManifest, type Settings } from "../settings/settings.ts";
import { trialBoot } from "./trial_boot.ts";

/** A plugin in the list of a manifest. */
export type ManifestEntry = Settings["plugins"][number];

/**
 * Writes the list of plugins into the manifest, after the installation booted with it on an empty database.
 *
 * @returns the plugins of the new list
 */
export async function save(settings: Settings, entries: readonly ManifestEntry[]): Promise<readonly PluginUse[]> {
  const plugins = await requireBoot(settings, entries);
  await writeEntries(settings, entries);
  return plugins;
}

/**
 * Boots an installation with other plugins on an empty database.
 *
 * @throws StartupError with everything that would stop a start
 */
export async function requireBoot(
  settings: Settings,
  entries: readonly ManifestEntry[],
): Promise<readonly PluginUse[]> {
  return await trialBoot({ ...settings, plugins: entries }, (booted, kernel) => {
    requireSignIn(kernel);
    return booted;
  });
}

/**
 * Writes the list of plugins into the manifest, and keeps the one before it.
 *
 * @returns a function that puts both back
 */
export async function writeEntries(
  { manifestPath }: Pick<Settings, "manifestPath">,
  entries: readonly ManifestEntry[],
): Promise<() => Promise<void>> {
  await finishUndo(manifestPath);
  const previousPath = previousOf(manifestPath);
  const current = await readFile(manifestPath, "utf8");
  const previous = await exists(previousPath) ? await readFile(previousPath, "utf8") : undefined;
  await copyFile(manifestPath, previousPath);
  const written = entries.map(({ use, config, disabled, accepted }) => ({
    ...{ use, config },
    ...disabled && { disabled },
    ...accepted,
  }));
  await replace(manifestPath, `${JSON.stringify({ ...JSON.parse(current), plugins: written }, undefined, 2)}\n`);
  return async () => {
    await replace(manifestPath, current);
    if (previous === undefined) await rm(previousPath, { force: true });
    else await replace(previousPath, previous);
  };
}

/** Returns to the manifest before the last change, and a second time to the one after it. */
export async function undoChange({ manifestPath }: Settings): Promise<string[]> {
  await finishUndo(manifestPath);
  const previous = previousOf(manifestPath);
  if (!await exists(previous)) {
    throw new StartupError(`there is no earlier list of plugins: ${previous} does not exist`);
  }
  await readManifest(previous);
  const current = await readFile(manifestPath, "utf8");
  await replace(undoneOf(manifestPath), current);
  await replace(manifestPath, await readFile(previous, "utf8"));
  await rename(undoneOf(manifestPath), previous);
  return [`${manifestPath} is as it was before the last change; restart the server`];
}

/** Ends an undo that was cut off, so that no list is lost. */
async function finishUndo(manifestPath: string): Promise<void> {
  const undone = undoneOf(manifestPath);
  if (!await exists(undone)) return;
  const [current, previous] = await Promise.all(
    [manifestPath, previousOf(manifestPath)].map((path) => readFile(path, "utf8")),
  );
  if (current === previous) await rename(undone, previousOf(manifestPath));
  else await rm(undone);
}

function previousOf(manifestPath: string): string {
  return `${manifestPath}.previous`;
}

/** The manifest before an undo, while it is under way. */
function undoneOf(manifestPath: string): string {
  return `${manifestPath}.undone`;
}

/** Replaces a file as a whole: a reader, or a crash, finds the old or the new content. */
async function replace(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { flag: "wx" });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
