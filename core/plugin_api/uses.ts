import type { Call } from "../base/call.ts";
import type { RpcError } from "../base/errors.ts";

/** The number of references that an error lists. */
const MAX_LISTED = 5;

/**
 * Finds the rows that reference a row of another plugin, so that the other plugin can refuse to delete it. It is
 * contributed to an extension point of that plugin.
 *
 * @example
 * ```ts
 * contribute(PlanUses, {
 *   async referencesTo(call, planId, limit) {
 *     const users = await store.withPlan.all(call, { planId, limit });
 *     return users.map(({ username }) => `user "${username}"`);
 *   },
 * });
 * ```
 */
export interface UseCheck {
  /**
   * Returns descriptions of up to `limit` rows that reference the row with this id. They follow the words "used by" in
   * the error, such as `domain "x.com"`.
   */
  referencesTo(call: Call, id: bigint, limit: number): Promise<readonly string[]>;
}

/**
 * Throws if any check finds a reference to a row.
 *
 * @param id the id of the row that is about to be deleted
 * @param checks the contributions to the extension point
 * @param inUse creates the error from a list of references
 * @throws RpcError, as `inUse` returns it
 *
 * @example
 * ```ts
 * await refuseWhenUsed(call, id, contributions(PlanUses), (names) => errors.in_use(id, names));
 * ```
 */
export async function refuseWhenUsed(
  call: Call,
  id: bigint,
  checks: readonly UseCheck[],
  inUse: (names: string) => RpcError,
): Promise<void> {
  const names: string[] = [];
  for (const check of checks) {
    if (names.length > MAX_LISTED) break;
    names.push(...await check.referencesTo(call, id, MAX_LISTED + 1 - names.length));
  }
  if (names.length === 0) return;
  throw inUse(names.length > MAX_LISTED ? `${names.slice(0, MAX_LISTED).join(", ")} and more` : names.join(", "));
}
