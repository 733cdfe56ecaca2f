import type { Call, TokenRole } from "./call.ts";
import type { CallerStanding } from "./caller_standing.ts";
import { defineExtensionPoint, type ExtensionPoint } from "./contract.ts";

/** A plugin that limits what callers may do, such as users who owe money. */
export interface CallerStandingSource {
  /** The role of the callers that it knows. */
  readonly role: TokenRole;
  /**
   * Returns what a caller may do: everything (true), nothing and no access token (false), or some acts. The kernel asks
   * when a token is issued, and again when `AccessTokens.recheck` was called.
   */
  standingOf(call: Call, subjectId: bigint): Promise<boolean | CallerStanding>;
  /** The reasons of its errors, which the description of the API lists for the operations of the role. */
  readonly reasons?: readonly string[];
}

/**
 * The extension point for plugins that limit what callers may do. It applies to the tokens of every credential source,
 * and to every operation: those of new plugins too, by their `act`.
 *
 * @example
 * ```ts
 * contribute(CallerStandings, {
 *   role: "user",
 *   reasons: ["billing.owing"],
 *   async standingOf(call, userId) {
 *     const isOwing = (await store.owing.first(call, { userId })) !== undefined;
 *     return !isOwing || { errorFor: (act) => act === "read" || act === "pay" ? undefined : errors.owing(userId) };
 *   },
 * });
 * ```
 */
export const CallerStandings: ExtensionPoint<CallerStandingSource> = defineExtensionPoint("kernel.caller_standings");

/** Returns what a caller may do according to all sources that know its role. */
export async function standingOf(
  sources: readonly CallerStandingSource[],
  call: Call,
  role: TokenRole,
  subjectId: bigint,
): Promise<boolean | CallerStanding> {
  const asked = sources.filter((source) => source.role === role);
  const standings = await Promise.all(asked.map((source) => source.standingOf(call, subjectId)));
  if (standings.includes(false)) return false;
  const limits = standings.filter((standing) => typeof standing !== "boolean");
  if (limits.length === 0) return true;
  return {
    errorFor: (act) => limits.map((limit) => limit.errorFor(act)).find((error) => error !== undefined),
  };
}
