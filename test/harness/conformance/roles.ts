import type { DescMethod } from "@bufbuild/protobuf";
import { COMMON_MODULE } from "../../../core/base/modules.ts";
import { modulesOf, rolesOf } from "../../../core/calls/operation.ts";
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

/** An admin who is not a super admin. */
export interface ModuleAdmin {
  readonly caller: TestCaller;
  readonly modules: readonly string[];
}

interface MatrixCaller {
  readonly name: string;
  readonly role: TestCaller["role"] | "expired";
  readonly token: string | undefined;
  /** The modules of an admin; undefined for a super admin and for other roles. */
  readonly modules?: readonly string[];
}

const CALLERS = [as.admin(), as.user(7n), as.user(8n), as.dns(), as.node(), as.report(), as.anonymous()];
const LIFETIME_SECONDS = 7200;

/**
 * Calls every operation as every caller over every protocol, and as admins with modules over JSON. Exactly the callers
 * with an allowed role, and of the admins exactly those with an allowed module, must be permitted.
 */
export async function roleFindings(
  edgehelm: TestKernel,
  clock: TestClock,
  admins: readonly ModuleAdmin[],
): Promise<Findings> {
  const callers = await matrixCallers(edgehelm, clock, admins);
  const errors: string[] = [];
  let cells = 0;
  for (const { method } of edgehelm.kernel.operations.all) {
    if (!isUnary(method)) continue;
    for (const caller of callers) {
      for (const wire of caller.modules === undefined ? WIRES : ["http"] as const) {
        const outcome = await outcomeOf(edgehelm, caller.token, method, {}, wire);
        const error = unexpectedOutcome(outcome, caller, method);
        if (error !== undefined) {
          errors.push(`${method.parent.name}.${method.name} as ${caller.name} over ${wire}: ${error}`);
        }
        cells++;
      }
    }
  }
  return { cells, errors };
}

async function matrixCallers(
  edgehelm: TestKernel,
  clock: TestClock,
  admins: readonly ModuleAdmin[],
): Promise<MatrixCaller[]> {
  const expired = await edgehelm.token(as.admin());
  clock.advance(LIFETIME_SECONDS + 1);
  const callers: MatrixCaller[] = [{ name: "an admin whose token expired", role: "expired", token: expired }];
  for (const caller of CALLERS) {
    const { role, id } = caller;
    callers.push({ name: `${role} ${id}`, role, token: await edgehelm.token(caller) });
  }
  for (const { caller, modules } of admins) {
    const name = `an admin with ${modules.map((module) => `the module ${module}`).join(" and ") || "no module"}`;
    callers.push({ name, role: "admin", token: await edgehelm.token(caller), modules });
  }
  return callers;
}

function unexpectedOutcome(
  { code, message, reason }: Outcome,
  { role, modules }: MatrixCaller,
  method: DescMethod,
): string | undefined {
  const roles: readonly string[] = rolesOf(method);
  const got = `got ${code} "${message}"`;
  if (roles.includes("anonymous")) return [401, 403, 500].includes(code) ? `should be permitted, ${got}` : undefined;
  if (roles.includes(role)) {
    const allowed = modulesOf(method);
    if (modules === undefined || allowed.some((module) => module === COMMON_MODULE || modules.includes(module))) {
      return [401, 403, 500].includes(code) ? `should be permitted, ${got}` : undefined;
    }
    const expected = allowed.length === 0 ? "kernel.super_required" : "kernel.module_required";
    return code === 403 && reason === expected ? undefined : `should be refused with ${expected}, ${got}`;
  }
  if (role === "anonymous" || role === "expired") {
    return code === 401 && message.includes("access token")
      ? undefined
      : `should be refused without an access token, ${got}`;
  }
  return code === 403 && message.includes("permission") ? undefined : `should be refused without permission, ${got}`;
}
