import type { CommandLine } from "../options.ts";
import type { TimeBudget } from "../report/time_budget.ts";
import type { BenchOptions, Suite } from "../suite.ts";
export async function compareCommits(_s: Suite, _l: CommandLine, _o: BenchOptions, _b: TimeBudget): Promise<number> {
  return 1;
}
