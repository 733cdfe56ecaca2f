import type { Call } from "../../base/call.ts";
import { defineExtensionPoint, type ExtensionPoint } from "../../base/contract.ts";
import type { RpcError } from "../../base/errors.ts";
import type { Page } from "../../fields/page.ts";
import type { Query } from "../query.ts";

/** The number of references that an error lists. */
const MAX_LISTED = 5;

/**
 * Finds the rows that reference a row of another plugin, so that the other plugin can refuse to delete it. It is
 * contributed to the {@link Uses} of that plugin; {@link usedBy} creates one from a statement.
 */
export interface UseCheck {
  /**
   * Returns descriptions of up to `limit` rows that reference the row with this id. They follow the words "used by" in
   * the error, such as `domain "x.com"`.
   */
  referencesTo(call: Call, id: bigint, limit: number): Promise<readonly string[]>;
}

/** The extension point for plugins whose rows reference rows of its owner. See {@link defineUses}. */
export type Uses = ExtensionPoint<UseCheck>;

/**
 * Declares the extension point at which other plugins report references to rows of this plugin, in its contract.ts.
 *
 * @param plugin the name of the plugin
 *
 * @example
 * ```ts
 * import { defineUses, type Uses } from "edgehelm";
 *
 * export const PlanUses: Uses = defineUses("plan");
 * ```
 */
export function defineUses(plugin: string): Uses {
  return defineExtensionPoint<UseCheck>(`${plugin}.uses`, { refused: ["referencesTo"] });
}

/**
 * Creates a check from a statement.
 *
 * @param references selects at most `limit` rows that reference the row `id` of the other plugin
 * @param describe returns the description of a row, such as `user "alice"`
 *
 * @example
 * ```ts
 * import { usedBy } from "edgehelm/rows";
 *
 * contribute(PlanUses, usedBy(store.withPlan, ({ username }) => `user "${username}"`));
 * ```
 */
export function usedBy<Row>(
  references: Query<{ id: bigint; limit: number }, Row>,
  describe: (row: Row) => string,
): UseCheck {
  return {
    referencesTo: async (call, id, limit) => (await references.all(call, { id, limit })).map((row) => describe(row)),
  };
}

/**
 * Creates a check from a list of the rows that reference rows of the other plugin.
 *
 * @param filterFor returns the filter of the rows that reference the row `id` of the other plugin
 * @param describe returns the description of a row
 *
 * @example
 * ```ts
 * import { usedInList } from "edgehelm/rows";
 *
 * contribute(FolderUses, usedInList(notes, (folderId) => ({ folderId }), ({ title }) => `note "${title}"`));
 * ```
 */
export function usedInList<Filter, Row>(
  list: { page(call: Call, filter: Filter, page: Page): Promise<Row[]> },
  filterFor: (id: bigint) => Filter,
  describe: (row: Row) => string,
): UseCheck {
  return {
    async referencesTo(call, id, limit) {
      return (await list.page(call, filterFor(id), { offset: 0n, size: BigInt(limit) })).map((row) => describe(row));
    },
  };
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
 * import { refuseWhenUsed } from "edgehelm/rows";
 *
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
