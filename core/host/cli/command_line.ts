import { StartupError } from "../../base/startup_error.ts";
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
  "  plugin list | new <new folder>",
];

/** Runs what the operator typed: a verb of ours, or a command that a plugin brings. */
export async function commandLine([verb = "start", ...words]: readonly string[]): Promise<void> {
  switch (verb) {
    case "start":
      return await serve();
    case "bundle":
      return print(await bundle(words));
    case "pack":
      return print(await pack(words));
    case "plugin":
      return print(await pluginCommand(words));
    case "backup":
      return print(await backup(words));
    case "restore":
      return print(await restore(words));
    case "migrate":
      return await withKernel(() => Promise.resolve(["every table is up to date"]));
    default:
      return await runCommand([verb, ...words]);
  }
}

function print(lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}

/** Boots, which migrates, works, and stops. */
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

async function runCommand(words: readonly string[]): Promise<void> {
  await withKernel(async (kernel) => {
    const typed = words.join(" ");
    const command = kernel.commands.find(({ name }) => typed === name || typed.startsWith(`${name} `));
    if (command === undefined) {
      const known = kernel.commands.map(({ name, usage }) => `  ${name} ${usage}`);
      throw new StartupError(
        [`there is no command "${typed}"; known:`, ...OWN_COMMANDS, ...known].join("\n"),
      );
    }
    return await command.run(kernel.systemCall(command.name), words.slice(command.name.split(" ").length));
  });
}
