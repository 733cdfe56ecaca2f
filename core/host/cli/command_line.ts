import { StartupError } from "../../base/startup_error.ts";
import { runOnServer } from "../control/control_client.ts";
import { controlPath } from "../control/control_message.ts";
import { runKernelCommand } from "../control/kernel_command.ts";
import { localPath } from "../settings/database_path.ts";
import { readEnvironment } from "../settings/environment.ts";
import { readSettings } from "../settings/settings.ts";
import { backup } from "../backup/backup_command.ts";
import { restore } from "../backup/restore_command.ts";
import { bundle } from "../bundle/bundle_command.ts";
import { openKernel } from "../load/open_kernel.ts";
import { pack } from "./pack.ts";
import { pluginCommand } from "./plugin_command.ts";
import { serve } from "./serve.ts";

const STOP_MILLISECONDS = 10_000;

const OWN_COMMANDS = [
  "  start",
  "  migrate",
  "  backup <file> [--force]",
  "  restore <file> [--force]",
  "  bundle <manifest> <folder>",
  "  pack [plugin folder] <new folder>",
  "  plugin list | new <new folder> | comments [folder]",
];

/** Runs one command of the program itself or, if it has none of that name, of a plugin. */
export async function runCommandLine([name = "start", ...args]: readonly string[]): Promise<void> {
  switch (name) {
    case "start":
      return await serve();
    case "bundle":
      return print(await bundle(args));
    case "pack":
      return print(await pack(args));
    case "plugin":
      return print(await pluginCommand(args));
    case "backup":
      return print(await backup(args));
    case "restore":
      return print(await restore(args));
    case "migrate":
      return await withKernel(() => Promise.resolve(["all tables are up to date"]));
    default:
      return await runPluginCommand([name, ...args]);
  }
}

function print(lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}

/** Opens the kernel, which migrates the database, runs the work, and closes the kernel. */
async function withKernel(
  work: (kernel: Awaited<ReturnType<typeof openKernel>>["kernel"]) => Promise<readonly string[]>,
): Promise<void> {
  const { kernel, close } = await openKernel();
  try {
    print([...kernel.notices, ...await work(kernel)]);
  } finally {
    await close(STOP_MILLISECONDS);
  }
}

/** Runs a command in the server that holds the database file or, if there is none, in this process. */
async function runPluginCommand(args: readonly string[]): Promise<void> {
  const settings = await readSettings(readEnvironment());
  const isLocal = localPath(settings) !== undefined;
  const response = isLocal ? await runOnServer(controlPath(settings.dataDirectory), { args }) : undefined;
  if (response === undefined) return await withKernel((kernel) => runKernelCommand(kernel, args, OWN_COMMANDS));
  if ("error" in response) throw new StartupError(response.error);
  print(response.lines);
}
