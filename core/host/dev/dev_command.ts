import { resolve } from "node:path";
import process from "node:process";
import { StartupError } from "../../base/startup_error.ts";
import { warnOfPlaintext } from "../listen/plaintext.ts";
import { pluginFolders } from "../load/plugin_folders.ts";
import { Attribution, surviveUncaught } from "../observe/attribution.ts";
import { openLog, openMachine } from "../load/open_kernel.ts";
import { type Environment, readEnvironment } from "../settings/environment.ts";
import { readSettings } from "../settings/settings.ts";
import { requireOpenFiles } from "../settings/open_files.ts";
import { DevServer } from "./dev_server.ts";
import { DevSession } from "./dev_session.ts";
import { ModuleVersions } from "./module_versions.ts";

export const DEV_HELP: readonly string[] = [
  "usage: edgehelm dev [manifest]",
  "",
  "Serves an installation as `start` does, and puts a changed plugin into service when its files are saved. If the new",
  "one cannot start, the reason is printed and the previous one keeps serving.",
  "",
  "manifest: the installation manifest; otherwise the variable EDGEHELM_MANIFEST names it.",
  "Installed packages, ports, the database and Edgehelm itself are read at the start only.",
];

/** Serves an installation until SIGTERM or SIGINT, and replaces its plugins whenever their files change. */
export async function dev(args: readonly string[]): Promise<readonly string[]> {
  if (args.some((arg) => arg === "--help" || arg === "-h")) return DEV_HELP;
  if (args.length > 1 || args[0]?.startsWith("-")) throw new StartupError(DEV_HELP[0]!);
  const environment: Environment = {
    ...readEnvironment(),
    ...args[0] !== undefined && { EDGEHELM_MANIFEST: resolve(args[0]) },
  };
  const stopped = stopSignal();
  const settings = await readSettings(environment);
  const { log, flushLog } = openLog(settings);
  requireOpenFiles();
  warnOfPlaintext(settings, log);
  surviveUncaught({ attribution: new Attribution(pluginFolders(settings)), log, count: () => {} });
  const modules = new ModuleVersions();
  modules.register();
  const machine = await openMachine(environment, settings, log, { withReplica: true });
  const server = new DevServer(machine, modules, log);
  const session = new DevSession(environment, settings, server, modules);
  try {
    session.begin();
    const signal = await Promise.race([stopped, session.failed]);
    exitOnNextSignal();
    log.info("stopping", { signal });
  } finally {
    await session.end();
    await server.close();
    flushLog();
    console.log("stopped");
  }
  return [];
}

const STOP_SIGNALS = ["SIGTERM", "SIGINT"] as const;

function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of STOP_SIGNALS) process.once(signal, () => resolve(signal));
  });
}

/** A second signal ends the process at once. */
function exitOnNextSignal(): void {
  for (const signal of STOP_SIGNALS) process.once(signal, () => process.exit(1));
}
