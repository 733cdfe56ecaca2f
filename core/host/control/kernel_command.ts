import { nearest } from "../../base/nearest.ts";
import { StartupError } from "../../base/startup_error.ts";
import type { Kernel } from "../../kernel/kernel.ts";

type Commands = Kernel["commands"];

/**
 * Runs a command of the kernel or of a plugin and returns the lines to print.
 *
 * @param others the names of the commands which need no kernel, for the error
 * @throws StartupError if there is no command of that name
 */
export async function runKernelCommand(
  kernel: Kernel,
  args: readonly string[],
  others: readonly string[] = [],
): Promise<readonly string[]> {
  const line = args.join(" ");
  const command = kernel.commands.find(({ name }) => line === name || line.startsWith(`${name} `));
  if (command === undefined) throw unknownCommand(line, kernel.commands, others);
  return await command.run(kernel.commandCall(command.name), args.slice(command.name.split(" ").length));
}

/** Returns an error with the nearest command, and with those of the kernel and of plugins. */
export function unknownCommand(line: string, commands: Commands, others: readonly string[]): StartupError {
  const words = line.split(" ");
  const names = commands.map(({ name }) => name);
  const firstWords = new Set([...others, ...names.map((name) => name.split(" ")[0]!)]);
  const meant = nearest(words.slice(0, 2).join(" "), names.filter((name) => name.includes(" "))) ??
    (firstWords.has(words[0]!) ? undefined : nearest(words[0]!, firstWords));
  const suggestion = meant === undefined ? "" : `; did you mean "${meant}"?`;
  return new StartupError([
    `command "${line}" does not exist${suggestion}`,
    "see edgehelm --help; the kernel and the plugins of this installation have these commands:",
    ...commands.map(({ name, usage }) => `  ${name} ${usage}`),
  ].join("\n"));
}
