import { writeFileSync } from "node:fs";
import process from "node:process";
import { errorMessage } from "../../settings/files.ts";
import { importPlugin } from "../../load/load_plugins.ts";
import { ownModuleResolver } from "../../load/shared_modules.ts";
import { record } from "./effect_recorder.ts";
import { IMPORT_BEGINS, IMPORT_ENDS, type ProbeResult } from "./probe_result.ts";
import { placeIn } from "./stack_place.ts";

/** The time for what an import began to show, in milliseconds. */
const SETTLE = 50;
const SHELVES = ["", "/rows", "/fields", "/storage", "/wire", "/auth", "/runtime", "/client"];

const [folder = "", module = "", output = ""] = process.argv.slice(2);
const write = writeFileSync;
const settled = setTimeout;

async function probe(): Promise<ProbeResult> {
  const resolver = ownModuleResolver();
  // what plugins share is loaded before
  for (const shelf of SHELVES) await import(resolver(`edgehelm${shelf}`)!);
  const recorded = record(folder);
  try {
    void process.env[IMPORT_BEGINS];
    await importPlugin({ folder, module });
    await new Promise((resolve) => settled(resolve, SETTLE));
    return { effects: recorded() };
  } catch (error) {
    const at = placeIn(folder, error instanceof Error ? (error.stack ?? "").split("\n") : []);
    return { error: at === undefined ? errorMessage(error) : `${at}: ${errorMessage(error)}`, effects: [] };
  } finally {
    void process.env[IMPORT_ENDS];
  }
}

write(output, JSON.stringify(await probe()));
process.exit(0);
