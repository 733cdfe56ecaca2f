import { rolesOf } from "../../../core/calls/operation.ts";
import { callerFor } from "../caller.ts";
import type { TestKernel } from "../kernel.ts";
import { isUnary, outcomeOf } from "../outcome.ts";
import type { Findings } from "./roles.ts";

/** Calls every operation of a plugin that has only the contracts that it requires: none may fail. */
export async function subsetFindings(edgehelm: TestKernel): Promise<Findings> {
  const errors: string[] = [];
  let cells = 0;
  for (const { method } of edgehelm.kernel.operations.all) {
    if (!isUnary(method)) continue;
    const { code, message } = await outcomeOf(edgehelm, await edgehelm.token(callerFor(rolesOf(method))), method, {});
    cells++;
    if (code !== 500) continue;
    errors.push(
      `${method.parent.name}.${method.name} fails without the contracts that are optional, with "${message}": see whether ` +
        "they are there before you use them",
    );
  }
  return { cells, errors };
}
