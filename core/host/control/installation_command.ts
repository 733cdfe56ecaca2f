import { StartupError } from "../../base/startup_error.ts";
import { localPath } from "../settings/database_path.ts";
import { readEnvironment } from "../settings/environment.ts";
import { readSettings } from "../settings/settings.ts";
import { runOnServer } from "./control_client.ts";
import { controlPath } from "./control_message.ts";

/**
 * Runs a command in the server that holds the database file of this installation.
 *
 * @param others the names of the commands that are no plugin's, for the error
 * @returns the lines to print; undefined if no server holds it
 * @throws StartupError with the error of the command
 */
export async function runInstallationCommand(
  args: readonly string[],
  others: readonly string[],
): Promise<readonly string[] | undefined> {
  const settings = await readSettings(readEnvironment());
  if (localPath(settings) === undefined) return undefined;
  const response = await runOnServer(controlPath(settings.dataDirectory), { args, others });
  if (response !== undefined && "error" in response) throw new StartupError(response.error);
  return response?.lines;
}
