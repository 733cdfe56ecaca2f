import { effectOf, rolesOf } from "../../../core/calls/operation.ts";
import { as, type TestCaller } from "../caller.ts";
import type { TestKernel } from "../kernel.ts";
import { isUnary, outcomeOf } from "../outcome.ts";
import { WIRES } from "../wire.ts";
import type { Findings } from "./roles.ts";

/** Makes the same call over every wire: code and reason must agree, and the answers of reads as well. */
export async function parityFindings(edgehelm: TestKernel): Promise<Findings> {
  const faults: string[] = [];
  let cells = 0;
  for (const { method } of edgehelm.kernel.operations.all) {
    if (!isUnary(method)) continue;
    const token = await edgehelm.token(callerFor(rolesOf(method)));
    const seen = new Map<string, string[]>();
    for (const wire of WIRES) {
      const { code, reason, answer } = await outcomeOf(edgehelm, token, method, {}, wire);
      const shown = JSON.stringify([code, reason, ...(effectOf(method) === "read" ? [answer] : [])]);
      seen.set(shown, [...seen.get(shown) ?? [], wire]);
      cells++;
    }
    if (seen.size > 1) {
      const ends = [...seen].map(([shown, wires]) => `${wires.join(" and ")} ${shown}`);
      faults.push(`${method.parent.name}.${method.name} ends differently: ${ends.join(", ")}`);
    }
  }
  return { cells, faults };
}

function callerFor([role = "admin"]: readonly string[]): TestCaller {
  return role === "anonymous" || role === "system" ? as.nobody() : { role: role as TestCaller["role"], id: 7n };
}
