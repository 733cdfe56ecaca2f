import { StartupError } from "../../../base/startup_error.ts";

/** Parses the arguments `<file> [--force]` of a command. */
export function parseFileAndForce(
  command: string,
  args: readonly string[],
  file = "<file>",
): { file: string; force: boolean } {
  const [named, ...others] = args.filter((argument) => argument !== "--force");
  if (named === undefined || others.length > 0 || named.startsWith("-")) {
    throw new StartupError(`usage: ${command} ${file} [--force]`);
  }
  return { file: named, force: args.includes("--force") };
}
