import { stat } from "node:fs/promises";
import { StartupError } from "../../base/startup_error.ts";
import { runOnServer } from "../control/control_client.ts";
import { controlPath } from "../control/control_message.ts";
import { localPath } from "../settings/database_path.ts";
import { type Environment, readEnvironment } from "../settings/environment.ts";
import { errorMessage } from "../settings/files.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { failure, type Finding, ok } from "./finding.ts";
import {
  checkDatabase,
  checkDataDirectory,
  checkDisk,
  checkKey,
  checkPort,
  checkRemoteDatabase,
  checkTransport,
} from "./installation_checks.ts";
import { checkClock, checkDns, checkOpenFiles, checkRuntime } from "./machine_checks.ts";

/**
 * Checks the machine and the installation on it, without changing anything, and prints what was found.
 *
 * @throws StartupError if the installation cannot run as it is
 */
export async function doctor(print: (line: string) => void = (line) => console.log(line)): Promise<void> {
  let failures = 0;
  for (const { severity, subject, text } of await findings()) {
    if (severity === "failure") failures++;
    print(`${severity.padEnd(7)}  ${subject}: ${text}`);
  }
  if (failures > 0) throw new StartupError(`${failures} check${failures === 1 ? "" : "s"} failed`);
}

async function findings(): Promise<Finding[]> {
  const machine = [checkRuntime(), await checkDns()];
  try {
    const environment = readEnvironment();
    const settings = await readSettings(environment);
    return [...machine, ok("settings", settings.manifestPath), ...await installation(environment, settings)];
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return [...machine, failure("settings", errorMessage(error))];
  }
}

async function installation(environment: Environment, settings: Settings): Promise<Finding[]> {
  const { dataDirectory, http, grpc, metrics, database } = settings;
  const path = localPath(settings);
  const lastWrite = path && await stat(path).then(({ mtime }) => mtime, () => undefined);
  const common = [
    checkOpenFiles(settings),
    checkClock(lastWrite || undefined),
    await checkDataDirectory(dataDirectory),
    await checkDisk(dataDirectory),
    await checkKey(environment, settings, path),
    checkTransport(settings),
  ];
  // a server that runs holds its ports and its database
  if (path !== undefined && await runOnServer(controlPath(dataDirectory), { args: [] }) !== undefined) {
    return [...common, ok("server", "is running; its ports and its database are checked when it is stopped")];
  }
  return [
    ...common,
    await checkPort("http", http),
    await checkPort("grpc", grpc),
    ...metrics === undefined ? [] : [await checkPort("metrics", metrics)],
    path === undefined ? await checkRemoteDatabase(database.url) : await checkDatabase(dataDirectory, path),
  ];
}
