import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the paths of the files under a directory that contain a text. */
export function filesContaining(directory: string, text: string): string[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name)).filter((path) =>
    readFileSync(path).includes(text)
  );
}
