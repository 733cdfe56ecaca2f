import { basename, dirname, join } from "node:path";
import { readProgram } from "./program.ts";
import { type PluginReasons, Reasons } from "./reasons.ts";

/** A generated module of a plugin. */
export interface ReasonsModule {
  readonly path: string;
  readonly text: string;
}

/** Derives the modules `proto/reasons_pb.ts` of all plugins that serve operations. */
export function reasonsModules(): ReasonsModule[] {
  const program = readProgram();
  const reasons = new Reasons(program);
  return program.sources
    .filter(({ fileName }) => basename(fileName) === "plugin.ts" && /\/plugins\/\w+\/plugin\.ts$/.test(fileName))
    .map((source) => ({ folder: dirname(source.fileName), found: reasons.of(source) }))
    .filter(({ found }) => found.size > 0)
    .map(({ folder, found }) => ({ path: join(folder, "proto/reasons_pb.ts"), text: moduleOf(found) }));
}

function moduleOf(reasons: PluginReasons): string {
  const lines = [...reasons].sort(([one], [other]) => one < other ? -1 : 1)
    .map(([path, found]) => `  ${JSON.stringify(path)}: ${JSON.stringify([...found])},`);
  return [
    "// Generated from the code of the plugins by deno task gen. Do not edit.",
    "",
    "/** The reasons of the errors that the code of operations gives, by path. */",
    "export const reasons: Readonly<Record<string, readonly string[]>> = {",
    ...lines,
    "};",
    "",
  ].join("\n");
}
