import { StartupError } from "../../base/startup_error.ts";
import { checkPlaintext } from "../listen/plaintext.ts";
import { readEnvironment } from "../settings/environment.ts";
import type { BackupSettings } from "../settings/backup_settings.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { trialBoot } from "./trial_boot.ts";

/**
 * Runs `config check`, which checks the settings of the installation and of every plugin without touching its data, or
 * `config print`, which shows the settings in effect.
 *
 * @returns lines for the operator
 */
export async function configCommand([action]: readonly string[]): Promise<string[]> {
  if (action !== "check" && action !== "print") throw new StartupError("usage: config check | print");
  const settings = await readSettings(readEnvironment());
  if (action === "print") return [JSON.stringify(printable(settings), undefined, 2)];
  checkPlaintext(settings);
  const count = await trialBoot(settings, (plugins) => plugins.length);
  return [`${settings.manifestPath} is valid: ${count} plugins`];
}

const MASK = "(set)";

/** Returns the settings without secrets. Those in the configurations of plugins are references, which are shown. */
function printable(settings: Settings): object {
  const { database, chosenAccessKey, backup, ...others } = settings;
  return {
    ...others,
    database: { ...database, ...database.token !== undefined && { token: MASK } },
    ...backup !== undefined && { backup: { ...backup, place: printablePlace(backup) } },
    ...chosenAccessKey !== undefined && { chosenAccessKey: { id: chosenAccessKey.id, secret: MASK } },
  };
}

function printablePlace({ place }: BackupSettings): object {
  return place.kind === "s3" ? { ...place, secretAccessKey: MASK } : place;
}
