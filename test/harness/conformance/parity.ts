import { effectOf, rolesOf } from "../../../core/calls/operation.ts";
import { callerFor } from "../caller.ts";
import type { TestKernel } from "../kernel.ts";
import { isUnary, outcomeOf } from "../outcome.ts";
import { WIRES } from "../wire.ts";
import type { Findings } from "./roles.ts";

/** Makes the same call over every protocol. Code and reason must be equal, and the responses of reads too. */
export async function parityFindings(edgehelm: TestKernel): Promise<Findings> {
  const errors: string[] = [];
  let cells = 0;
  for (const { method } of edgehelm.kernel.operations.all) {
    if (!isUnary(method)) continue;
    const token = await edgehelm.token(callerFor(rolesOf(method)));
    const seen = new Map<string, string[]>();
    for (const wire of WIRES) {
      const { code, reason, response } = await outcomeOf(edgehelm, token, method, {}, wire);
      const outcome = JSON.stringify([code, reason, ...(effectOf(method) === "read" ? [response] : [])]);
      seen.set(outcome, [...seen.get(outcome) ?? [], wire]);
      cells++;
    }
    if (seen.size > 1) {
      const outcomes = [...seen].map(([outcome, wires]) => `${wires.join(" and ")} ${outcome}`);
      errors.push(`${method.parent.name}.${method.name} has different outcomes: ${outcomes.join(", ")}`);
    }
  }
  return { cells, errors };
}
