import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The files under a directory whose bytes hold a text. */
export function filesHolding(directory: string, text: string): string[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name)).filter((path) =>
    readFileSync(path).includes(text)
  );
}
