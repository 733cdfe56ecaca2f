import { accessTokenErrors } from "../../auth/access_tokens.ts";
import { type DeclaredError, declaredErrors, kernelErrors } from "../../base/errors.ts";
import type { CallerStandingSource } from "../../base/caller_standings.ts";
import { keyRestrictionErrors } from "../../base/key_restriction.ts";
import { COMMON_MODULE } from "../../base/modules.ts";
import { idempotencyErrors } from "../../calls/idempotency.ts";
import type { Operation } from "../../calls/operation.ts";
import type { Plugin } from "../../plugin_api/plugin.ts";

type Described = Pick<Operation, "path" | "plugin" | "roles" | "modules" | "effect">;
type KernelError = keyof typeof kernelErrors;

/** The errors that any request may cause: by limits, by its own form, and by the state of the server. */
const OF_EVERY_CALL: readonly KernelError[] = [
  "cancelled",
  "deadline",
  "exhausted",
  "internal",
  "invalid_field",
  "malformed",
  "too_large",
  "too_many_calls",
  "unavailable",
  "unsupported",
];
const OF_CALLERS: readonly KernelError[] = ["role_forbidden", "token_invalid", "token_missing"];

/** Knows the errors that each operation may give. */
export interface OperationErrors {
  /** Returns the errors of an operation, sorted by their reasons. */
  of(operation: Described): readonly DeclaredError[];
  /** Returns the reasons of all errors of an operation, those of plugins that the installation leaves out too. */
  reasonsOf(operation: Described): ReadonlySet<string>;
}

/**
 * Collects the errors of the operations of plugins: those of their code, and those of the kernel.
 *
 * @param standings the plugins that limit what callers may do
 */
export async function operationErrors(
  plugins: readonly Plugin[],
  standings: readonly CallerStandingSource[],
): Promise<OperationErrors> {
  const own = new Map(plugins.map(({ manifest: { name }, errors = {} }) => [name, declaredErrors(errors)]));
  const kernel = [kernelErrors, keyRestrictionErrors, idempotencyErrors, accessTokenErrors].flatMap(declaredErrors);
  const byReason = new Map([...kernel, ...[...own.values()].flat()].map((error) => [error.reason, error]));
  const modules = await Promise.all(plugins.map(async ({ manifest: { name }, reasons }) => {
    return [name, (await reasons?.())?.reasons] as const;
  }));
  const ofPlugins = new Map(modules);
  const standingReasons = (roles: Described["roles"]) =>
    standings.flatMap(({ role, reasons = [] }) => roles.has(role) ? reasons : []);
  const reasonsOf = (operation: Described): ReadonlySet<string> => {
    const { plugin, path, roles } = operation;
    const ofCode = ofPlugins.get(plugin)?.[path] ?? (own.get(plugin) ?? []).map(({ reason }) => reason);
    return new Set([...kernelReasons(operation), ...ofCode, ...standingReasons(roles)].sort());
  };
  return {
    reasonsOf,
    of: (operation) => [...reasonsOf(operation)].flatMap((reason) => byReason.get(reason) ?? []),
  };
}

/** Returns the reasons of the errors with which the kernel itself refuses calls of an operation. */
export function kernelReasons({ roles, modules, effect }: Described): readonly string[] {
  const isPublic = roles.has("anonymous");
  const writes = effect !== "read";
  const ofAdmins = (): KernelError[] => modules.length === 0 ? ["super_required"] : ["module_required"];
  const ofKernel: readonly KernelError[] = [
    ...OF_EVERY_CALL,
    ...isPublic ? [] : OF_CALLERS,
    ...roles.has("admin") && !modules.includes(COMMON_MODULE) ? ofAdmins() : [],
    ...writes ? ["outcome_unknown"] as const : [],
  ];
  const restrictions = declaredErrors(keyRestrictionErrors).map(({ reason }) => reason)
    .filter((reason) => writes || reason !== "access_key.read_only");
  return [
    ...ofKernel.map((name) => `kernel.${name}`),
    ...isPublic ? [] : restrictions,
    ...writes && !isPublic ? declaredErrors(idempotencyErrors).map(({ reason }) => reason) : [],
  ];
}
