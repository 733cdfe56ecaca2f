import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type Deed, type Effect, IMPORT_BEGINS, IMPORT_ENDS, type ProbeResult } from "./probe_result.ts";
import { placeIn } from "./stack_place.ts";

const ADVICE: Readonly<Record<Deed, string>> = {
  timer: "start it in setup, with timers or every",
  file: "read or write files in the host module, when it is opened",
  socket: "connect and listen in setup or in the host module, and close it in onStop",
  program: "start it in the host module, and end it in onStop",
  listener: "register it in setup, and remove it in onStop",
  environment: "leave the environment as it is: settings belong into proto/config.proto",
  output: "write to log in setup",
  global: "keep it in a variable of the module",
  other: "begin it in setup, and end it in onStop",
};
/** The time that an import may take, in milliseconds. */
const LIMIT = 60_000;
/** Effects that keep a resource open. */
const OPENERS: readonly Deed[] = ["timer", "file", "socket", "program"];

/** The outcome of an import. */
export interface TriedImport {
  /** The reason why the plugin cannot be imported. */
  readonly error?: string;
  /** A line for each effect of the import: the place, what it did, and what to do. */
  readonly findings: readonly string[];
}

/**
 * Imports a plugin in its own process, and watches what the import does. It should do nothing: a plugin is an inert value
 * until `setup` runs.
 */
export async function tryImport(folder: string, module: string): Promise<TriedImport> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-import-"));
  try {
    const { error, effects: recorded } = await probe(folder, module, directory);
    if (error !== undefined) return { error, findings: [] };
    const isExplained = recorded.some(({ deed }) => OPENERS.includes(deed));
    const effects = [...recorded, ...await audited(folder, join(directory, "audit"))]
      .filter(({ deed }) => deed !== "other" || !isExplained);
    const byPlace = new Map(effects.toReversed().map((effect) => [`${effect.at} ${effect.deed}`, effect]));
    const findings = [...byPlace.values()].toReversed().map(({ at, deed, text }) =>
      `${at} ${text} when it is imported: ${ADVICE[deed]}`
    );
    return { findings };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function probe(folder: string, module: string, directory: string): Promise<ProbeResult> {
  // in a package, both this file and the probe are JavaScript
  const program = fileURLToPath(import.meta.url.replace(/import_effect(\.[jt]s)$/, "import_probe$1"));
  const flags = "deno" in process.versions ? ["run", "-A", "--quiet"] : ["--no-warnings"];
  const output = join(directory, "result.json");
  const child = spawn(process.execPath, [...flags, program, folder, module, output], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, DENO_AUDIT_PERMISSIONS: join(directory, "audit"), DENO_TRACE_PERMISSIONS: "1" },
    timeout: LIMIT,
  });
  let errors = "";
  child.stderr.on("data", (chunk) => errors += chunk);
  await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (existsSync(output)) return JSON.parse(await readFile(output, "utf8"));
  return { error: errors.trim() || "the import ends the process, or does not end", effects: [] };
}

interface AuditEntry {
  readonly permission: string;
  readonly value: string | null;
  readonly stack?: readonly string[];
}

/** Returns the uses of permissions that Deno wrote down; nothing on Node, where the probe sees all of them. */
async function audited(folder: string, path: string): Promise<Effect[]> {
  if (!existsSync(path)) return [];
  const lines = (await readFile(path, "utf8")).split("\n").filter(Boolean);
  const entries = lines.map((line): AuditEntry => JSON.parse(line));
  const [begin, end] = [IMPORT_BEGINS, IMPORT_ENDS].map((mark) => entries.findLastIndex(({ value }) => value === mark));
  return entries.slice(begin! + 1, end).flatMap((entry) => {
    const at = placeIn(folder, entry.stack ?? []);
    const effect = effectOf(entry);
    return at === undefined || effect === undefined ? [] : [{ at, ...effect }];
  });
}

function effectOf({ permission, value, stack = [] }: AuditEntry): Omit<Effect, "at"> | undefined {
  // programs inherit the environment
  const isProgram = permission === "run" || stack.some((frame) => frame.includes("node/child_process"));
  if (isProgram) return { deed: "program", text: "starts a program" };
  if (permission === "ffi") return { deed: "program", text: `loads the library ${value ?? ""}`.trimEnd() };
  return permission === "read" || permission === "write" ? { deed: "file", text: `uses the file ${value}` } : undefined;
}
