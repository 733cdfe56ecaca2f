import { StartupError } from "../../base/startup_error.ts";

/** Parses the arguments `<file> [--force]` of a command. */
export function parseFileAndForce(command: string, args: readonly string[]): { file: string; force: boolean } {
  const [file, ...others] = args.filter((argument) => argument !== "--force");
  if (file === undefined || others.length > 0 || file.startsWith("-")) {
    throw new StartupError(`usage: ${command} <file> [--force]`);
  }
  return { file, force: args.includes("--force") };
}
