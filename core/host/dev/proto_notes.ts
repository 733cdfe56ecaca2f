import { statSync } from "node:fs";
import { relative } from "node:path";
import process from "node:process";

/** Returns a line for each changed proto file whose generated code is older. */
export function protoNotes(changed: readonly string[]): string[] {
  return changed.filter((path) => path.endsWith(".proto")).flatMap((path) => {
    const generated = timeOf(path.replace(/\.proto$/, "_pb.ts"));
    const written = timeOf(path);
    if (written === undefined || generated !== undefined && generated >= written) return [];
    return [`${relative(process.cwd(), path)} changed: run the script gen for it to take effect`];
  });
}

function timeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
}
