import type { Call } from "../base/call.ts";
import type { RpcError } from "../base/errors.ts";

/** How many names of users of a thing an error shows. */
const SHOWN = 5;

/** Finds what still uses a thing, so that deleting it can be refused by name. Contributed to the thing's plugin. */
export interface UseCheck {
  /** Names of live things that use the one with this id, at most `limit`; worded to follow "used by": `domain "x.com"`. */
  referencesTo(call: Call, id: bigint, limit: number): Promise<readonly string[]>;
}

/**
 * Refuses while something uses the thing.
 *
 * @param inUse makes the error, given the names
 * @throws what `inUse` makes
 */
export async function refuseWhenUsed(
  call: Call,
  id: bigint,
  checks: readonly UseCheck[],
  inUse: (names: string) => RpcError,
): Promise<void> {
  const names: string[] = [];
  for (const check of checks) {
    if (names.length > SHOWN) break;
    names.push(...await check.referencesTo(call, id, SHOWN + 1 - names.length));
  }
  if (names.length === 0) return;
  throw inUse(names.length > SHOWN ? `${names.slice(0, SHOWN).join(", ")} and more` : names.join(", "));
}
