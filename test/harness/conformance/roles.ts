import { rolesOf } from "../../../core/calls/operation.ts";
import { as, type TestCaller } from "../caller.ts";
import type { TestClock } from "../clock.ts";
import type { TestKernel } from "../kernel.ts";
import { isUnary, type Outcome, outcomeOf } from "../outcome.ts";
import { WIRES } from "../wire.ts";

/** What a matrix of calls found. */
export interface Findings {
  /** How many calls were made. */
  readonly cells: number;
  /** One line for each call that went wrong. */
  readonly faults: readonly string[];
}

interface Knocker {
  readonly name: string;
  readonly role: TestCaller["role"] | "expired";
  readonly token: string | undefined;
}

const CALLERS = [as.admin(), as.user(7n), as.user(8n), as.dns(), as.node(), as.report(), as.nobody()];
const LIFETIME_SECONDS = 7200;

/** Calls every operation as every caller over every wire, with an empty request: who is let in must be who is allowed. */
export async function roleFindings(edgehelm: TestKernel, clock: TestClock): Promise<Findings> {
  const knockers = await knockersOf(edgehelm, clock);
  const faults: string[] = [];
  let cells = 0;
  for (const { method } of edgehelm.kernel.operations.all) {
    if (!isUnary(method)) continue;
    const roles: readonly string[] = rolesOf(method);
    for (const { name, role, token } of knockers) {
      for (const wire of WIRES) {
        const outcome = await outcomeOf(edgehelm, token, method, {}, wire);
        const fault = faultOf(outcome, role, roles);
        if (fault !== undefined) faults.push(`${method.parent.name}.${method.name} as ${name} over ${wire}: ${fault}`);
        cells++;
      }
    }
  }
  return { cells, faults };
}

async function knockersOf(edgehelm: TestKernel, clock: TestClock): Promise<Knocker[]> {
  const expired = await edgehelm.token(as.admin(99n));
  clock.advance(LIFETIME_SECONDS + 1);
  const knockers: Knocker[] = [{ name: "an admin whose token expired", role: "expired", token: expired }];
  for (const caller of CALLERS) {
    const { role, id } = caller;
    knockers.push({ name: `${role} ${id}`, role, token: await edgehelm.token(caller) });
  }
  return knockers;
}

function faultOf({ code, message }: Outcome, role: Knocker["role"], roles: readonly string[]): string | undefined {
  const got = `got ${code} "${message}"`;
  if (roles.includes("anonymous") || roles.includes(role)) {
    return [401, 403, 500].includes(code) ? `should be let in, ${got}` : undefined;
  }
  if (role === "nobody" || role === "expired") {
    return code === 401 && message.includes("access token") ? undefined : `should be asked for an access token, ${got}`;
  }
  return code === 403 && message.includes("permission") ? undefined : `should have no permission, ${got}`;
}
