import { StartupError } from "../../base/startup_error.ts";
import type { Kernel } from "../../kernel/kernel.ts";

/**
 * Runs a command of the kernel or of a plugin and returns the lines to print.
 *
 * @param otherCommands the lines that describe the commands which need no kernel, for the error
 * @throws StartupError if there is no command of that name
 */
export async function runKernelCommand(
  kernel: Kernel,
  args: readonly string[],
  otherCommands: readonly string[] = [],
): Promise<readonly string[]> {
  const line = args.join(" ");
  const command = kernel.commands.find(({ name }) => line === name || line.startsWith(`${name} `));
  if (command === undefined) {
    const own = kernel.commands.map(({ name, usage }) => `  ${name} ${usage}`);
    throw new StartupError(
      [`command "${line}" does not exist; available commands:`, ...otherCommands, ...own].join("\n"),
    );
  }
  return await command.run(kernel.systemCall(command.name), args.slice(command.name.split(" ").length));
}
