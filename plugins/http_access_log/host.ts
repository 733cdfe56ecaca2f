import { createTextFile, readLines } from "./host/files.ts";
import type { LogFiles } from "./log_files.ts";

/** Opens the host part of the plugin. */
export function open(): LogFiles {
  return { lines: (_call, path) => readLines(path), create: (_call, path) => createTextFile(path) };
}
