import type { Call } from "../../base/call.ts";
import { defineExtensionPoint, type ExtensionPoint } from "../../base/contract.ts";

/** Reports which rows of another plugin the objects of a plugin refer to. `referrer` of `ownedRows` creates one. */
export interface Referrer {
  /** Returns the rows among `ids` that at least one object refers to which the user may see. */
  referredFor(call: Call, ids: readonly bigint[], userId: bigint): Promise<readonly bigint[]>;
  /**
   * Returns the rows among `ids` that at least one object of another owner refers to.
   *
   * @param userId the owner whose objects do not count; 0 for the installation
   */
  referredByOthers(call: Call, ids: readonly bigint[], userId: bigint): Promise<readonly bigint[]>;
}

/** The extension point for plugins whose objects refer to rows of its owner. See {@link defineReferrers}. */
export type Referrers = ExtensionPoint<Referrer>;

/**
 * Declares the extension point at which other plugins report references to rows of this plugin, in its contract.ts. They
 * decide with whom rows of the installation are shared.
 *
 * @param plugin the name of the plugin
 *
 * @example
 * ```ts
 * import { defineReferrers, type Referrers } from "edgehelm/rows";
 *
 * export const OriginReferrers: Referrers = defineReferrers("origin");
 * ```
 */
export function defineReferrers(plugin: string): Referrers {
  return defineExtensionPoint<Referrer>(`${plugin}.referrers`, { refused: ["referredByOthers"] });
}

/** A row that a field of a request refers to. */
export interface Reference {
  /** The path of the field, to name in errors. */
  readonly field: string;
  readonly id: bigint;
}

/** The owner of an object that refers to rows; 0 for the installation. */
export interface Taker {
  readonly userId: bigint;
  /** The owner before a transfer of the object, whose rows move along. */
  readonly previousUserId?: bigint;
}

/** The options of `ownedRows` for rows that other objects refer to. */
export interface SharingOptions<Row> {
  /** The objects that refer to rows. Without them, no row is shared. */
  readonly referrers?: readonly Referrer[];
  /** Returns true for a row of the installation that stays with it, even if a user's object refers to it. */
  readonly isForSharing?: (row: Row) => boolean;
  /** Lets a row that got a new owner take the rows that it refers to; `field` is the field that refers to the row. */
  readonly taken?: (call: Call, row: Row, field: string, taker: Taker) => Promise<void>;
}

/** Returns the rows among `ids` that any referrer reports. */
export async function reportedBy(
  referrers: readonly Referrer[],
  ids: readonly bigint[],
  report: (referrer: Referrer) => Promise<readonly bigint[]>,
): Promise<ReadonlySet<bigint>> {
  const found = new Set<bigint>();
  if (ids.length === 0) return found;
  for (const referrer of referrers) for (const id of await report(referrer)) found.add(id);
  return found;
}
