import { StartupError } from "../../base/startup_error.ts";

/** Reads `<file> [--force]`. */
export function fileAndForce(command: string, words: readonly string[]): { file: string; force: boolean } {
  const [file, ...more] = words.filter((word) => word !== "--force");
  if (file === undefined || more.length > 0 || file.startsWith("-")) {
    throw new StartupError(`${command} takes <file> [--force]`);
  }
  return { file, force: words.includes("--force") };
}
