import type { CommandLine } from "../options.ts";
import type { TimeBudget } from "../report/time_budget.ts";
import type { BenchOptions, Suite } from "../suite.ts";
import { Checkout } from "./checkout.ts";
import { LEAST_ROUNDS, runPairedRounds } from "./paired_rounds.ts";
import { summaryOf, verdictsOf } from "./verdict.ts";
import { verdictsTable } from "./verdicts_table.ts";

const ROUNDS = 10;

/**
 * Compares this checkout to another commit, both under the load of this checkout's bench.
 *
 * @returns the exit code: 1 when figures differ
 */
export async function compareCommits(
  suite: Suite,
  line: CommandLine,
  options: BenchOptions,
  budget: TimeBudget,
): Promise<number> {
  const { suite: name = "", compare = "", rounds = ROUNDS, isJson } = line;
  if (suite.openForComparison === undefined) throw new Error(`the suite "${name}" cannot compare commits`);
  if (rounds < LEAST_ROUNDS) throw new Error(`a comparison needs at least ${LEAST_ROUNDS} rounds, not ${rounds}`);
  const { progress } = options;
  progress.note(`preparing ${compare}`);
  using checkout = new Checkout(options.root, compare);
  using own = Checkout.ofFilesIn(options.root);
  await using before = await suite.openForComparison({ ...options, root: checkout.root });
  await using after = await suite.openForComparison({ ...options, root: own.root });
  const paired = await runPairedRounds(before, after, rounds, budget, progress);
  const verdicts = verdictsOf(paired);
  const summary = summaryOf(verdicts);
  if (isJson) console.log(JSON.stringify({ suite: name, before: checkout.commit, verdicts, paired, summary }));
  else console.log(`before: ${checkout.commit}, after: this checkout\n\n${verdictsTable(verdicts)}\n\n${summary}`);
  return summary === "no difference" ? 0 : 1;
}
