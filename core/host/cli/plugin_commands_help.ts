import { unknownCommand } from "../control/kernel_command.ts";
import { localPath } from "../settings/database_path.ts";
import { readEnvironment } from "../settings/environment.ts";
import { exists } from "../settings/files.ts";
import { readSettings } from "../settings/settings.ts";
import { trialBoot } from "./trial_boot.ts";

/**
 * Explains the commands of plugins whose names begin with some words. The data of the installation is not touched.
 *
 * @param others the names of all other commands
 * @throws StartupError if there are none, which names the nearest
 */
export async function explainPluginCommands(words: string, others: readonly string[]): Promise<string[]> {
  const settings = await readSettings(readEnvironment());
  return await trialBoot(settings, (_plugins, { commands }) => {
    const found = commands.filter(({ name }) => name === words || name.startsWith(`${words} `));
    if (found.length === 0) throw unknownCommand(words, commands, others);
    return found.map(({ name, usage }) => `usage: edgehelm ${name} ${usage}`);
  });
}

/**
 * Checks that a command exists before it would create the database of an installation. Later the command itself does.
 *
 * @throws StartupError that names the nearest command
 */
export async function requireCommandBeforeFirstStart(
  args: readonly string[],
  others: readonly string[],
): Promise<void> {
  const settings = await readSettings(readEnvironment());
  const path = localPath(settings);
  if (path === undefined || await exists(path)) return;
  const line = args.join(" ");
  await trialBoot(settings, (_plugins, { commands }) => {
    if (commands.some(({ name }) => line === name || line.startsWith(`${name} `))) return;
    throw unknownCommand(line, commands, others);
  });
}
