declare const shape: unique symbol;

/** A typed key under which one plugin provides an implementation to others. See {@link defineContract}. */
export interface Contract<Shape> {
  readonly id: string;
  readonly optional: boolean;
  readonly [shape]?: Shape;
}

/** A typed key under which many plugins contribute to the plugin that owns it. See {@link defineExtensionPoint}. */
export interface ExtensionPoint<Shape> {
  readonly id: string;
  /** True if only one plugin may contribute. */
  readonly isSingle: boolean;
  /** The methods of a contribution that are refused while a plugin that declares one does not run. */
  readonly refused: readonly string[];
  readonly [shape]?: Shape;
}

/**
 * Declares a contract. It belongs beside its interface in the plugin's contract.ts, the only file of the plugin that
 * others may import.
 *
 * @param id the name of the providing plugin, or `<plugin>.<noun>` for an additional contract of the same plugin
 *
 * @example
 * ```ts
 * import { type Call, type Contract, defineContract } from "edgehelm";
 *
 * export interface Plans {
 *   quota(call: Call, userId: bigint): Promise<number>;
 * }
 * export const Plans: Contract<Plans> = defineContract("plan");
 * ```
 */
export function defineContract<Shape>(id: string): Contract<Shape> {
  return { id, optional: false };
}

/**
 * Makes a dependency on a contract optional: it is `undefined` if no enabled plugin provides the contract.
 *
 * @example
 * ```ts
 * import { definePlugin, optional } from "edgehelm";
 *
 * export default definePlugin({
 *   manifest,
 *   requires: { plans: optional(Plans) },
 *   setup({ deps: { plans } }) {
 *     const hasQuota = plans !== undefined;
 *   },
 * });
 * ```
 */
export function optional<Shape>(contract: Contract<Shape>): Contract<Shape | undefined> {
  return { id: contract.id, optional: true };
}

/**
 * Declares an extension point. Other plugins contribute to it during setup, in any order; its owner reads the
 * contributions when it uses them. A plugin can so serve plugins that depend on it without knowing them.
 *
 * @param id `<plugin>.<noun>`, where the plugin is the owner
 * @param options `isSingle` lets only one plugin contribute; a second one is an error at start. `refused` lists methods
 *   without which nothing may go on, such as those that guard a deletion: while a plugin that declares a contribution does
 *   not run, they fail with `kernel.unavailable`
 *
 * @example
 * ```ts
 * import { defineExtensionPoint, type ExtensionPoint } from "edgehelm";
 *
 * export interface InvoiceLines {
 *   lines(call: Call, userId: bigint): Promise<readonly InvoiceLine[]>;
 * }
 * export const InvoiceLines: ExtensionPoint<InvoiceLines> = defineExtensionPoint("user_bill.lines");
 * ```
 */
export function defineExtensionPoint<Shape>(
  id: string,
  { isSingle = false, refused = [] }: ExtensionPointOptions<Shape> = {},
): ExtensionPoint<Shape> {
  return { id, isSingle, refused };
}

/** The options of {@link defineExtensionPoint}. */
export interface ExtensionPointOptions<Shape> {
  readonly isSingle?: boolean;
  readonly refused?: readonly (string & keyof Shape)[];
}

/** Returns the name of the plugin that provides a contract: the part of its id before the first dot. */
export function providerOf(contract: Contract<unknown>): string {
  return contract.id.split(".", 1)[0]!;
}
