import process from "node:process";
import { fileURLToPath } from "node:url";
import { compareCommits } from "./compare/compare_commits.ts";
import { requireLoadPrograms } from "./load/programs.ts";
import { type CommandLine, parseCommandLine, USAGE } from "./options.ts";
import { describeMachine, machineLine } from "./report/machine.ts";
import { othersLoadFor } from "./report/others_load.ts";
import { Progress } from "./report/progress.ts";
import { samplesTable } from "./report/samples_table.ts";
import { TimeBudget } from "./report/time_budget.ts";
import { runRounds } from "./runner.ts";
import type { BenchOptions } from "./suite.ts";
import { SUITES } from "./suites.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ROUNDS = 5;
/** The load of other processes is watched for so long before the bench. */
const BEFORE_MILLISECONDS = 3000;

try {
  process.exit(await main(parseCommandLine(process.argv.slice(2))));
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : error}`);
  process.exit(2);
}

/** Returns the exit code. */
async function main(line: CommandLine): Promise<number> {
  const listed = SUITES[line.suite ?? ""];
  if (listed === undefined) {
    if (line.suite !== undefined) throw new Error(`no suite is named "${line.suite}"; \`deno task bench\` lists them`);
    listSuites();
    return 0;
  }
  requireLoadPrograms();
  const budget = new TimeBudget(line.minutes);
  const progress = new Progress();
  const machine = describeMachine();
  const othersBefore = await othersLoadFor(BEFORE_MILLISECONDS);
  progress.note(machineLine(machine, othersBefore));
  const suite = await listed.load();
  const options: BenchOptions = { root: ROOT, seconds: line.seconds, rows: line.rows, progress };
  if (line.compare !== undefined) return await compareCommits(suite, line, options, budget);
  await using bench = await suite.open(options);
  const { samples, failure } = await runRounds(bench, line.rounds ?? ROUNDS, budget, options);
  if (line.isJson) console.log(JSON.stringify({ suite: line.suite, machine, othersBefore, samples, failure }));
  else {console.log(
      [machineLine(machine, othersBefore), samplesTable(samples), ...failure ? [failure] : []].join("\n\n"),
    );}
  return failure === undefined ? 0 : 1;
}

function listSuites(): void {
  for (const [name, { summary }] of Object.entries(SUITES)) console.log(`${name.padEnd(12)} ${summary}`);
  console.log(`\n${USAGE}`);
}
