import { rolesOf } from "../../../core/calls/operation.ts";
import { as, type TestCaller } from "../caller.ts";
import type { TestClock } from "../clock.ts";
import type { TestKernel } from "../kernel.ts";
import { isUnary, type Outcome, outcomeOf } from "../outcome.ts";
import { WIRES } from "../wire.ts";

/** The result of a matrix of calls. */
export interface Findings {
  /** The number of calls. */
  readonly cells: number;
  /** One line for each call with an unexpected outcome. */
  readonly errors: readonly string[];
}

interface MatrixCaller {
  readonly name: string;
  readonly role: TestCaller["role"] | "expired";
  readonly token: string | undefined;
}

const CALLERS = [as.admin(), as.user(7n), as.user(8n), as.dns(), as.node(), as.report(), as.anonymous()];
const LIFETIME_SECONDS = 7200;

/** Calls every operation as every caller over every protocol. Exactly the callers with an allowed role must be permitted. */
export async function roleFindings(edgehelm: TestKernel, clock: TestClock): Promise<Findings> {
  const callers = await matrixCallers(edgehelm, clock);
  const errors: string[] = [];
  let cells = 0;
  for (const { method } of edgehelm.kernel.operations.all) {
    if (!isUnary(method)) continue;
    const roles: readonly string[] = rolesOf(method);
    for (const { name, role, token } of callers) {
      for (const wire of WIRES) {
        const outcome = await outcomeOf(edgehelm, token, method, {}, wire);
        const error = unexpectedOutcome(outcome, role, roles);
        if (error !== undefined) errors.push(`${method.parent.name}.${method.name} as ${name} over ${wire}: ${error}`);
        cells++;
      }
    }
  }
  return { cells, errors };
}

async function matrixCallers(edgehelm: TestKernel, clock: TestClock): Promise<MatrixCaller[]> {
  const expired = await edgehelm.token(as.admin(99n));
  clock.advance(LIFETIME_SECONDS + 1);
  const callers: MatrixCaller[] = [{ name: "an admin whose token expired", role: "expired", token: expired }];
  for (const caller of CALLERS) {
    const { role, id } = caller;
    callers.push({ name: `${role} ${id}`, role, token: await edgehelm.token(caller) });
  }
  return callers;
}

function unexpectedOutcome(
  { code, message }: Outcome,
  role: MatrixCaller["role"],
  roles: readonly string[],
): string | undefined {
  const got = `got ${code} "${message}"`;
  if (roles.includes("anonymous") || roles.includes(role)) {
    return [401, 403, 500].includes(code) ? `should be permitted, ${got}` : undefined;
  }
  if (role === "anonymous" || role === "expired") {
    return code === 401 && message.includes("access token")
      ? undefined
      : `should be refused without an access token, ${got}`;
  }
  return code === 403 && message.includes("permission") ? undefined : `should be refused without permission, ${got}`;
}
