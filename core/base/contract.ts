declare const shape: unique symbol;

/** A typed token under which one plugin offers something to others. */
export interface Contract<Shape> {
  readonly id: string;
  readonly optional: boolean;
  readonly [shape]?: Shape;
}

/** A typed token under which many plugins may offer something to the one that asks for it. */
export interface ExtensionPoint<Shape> {
  readonly id: string;
  readonly [shape]?: Shape;
}

/**
 * Declares a contract. Put it beside the interface in the plugin's contract.ts, the only file that others import.
 *
 * @param id the providing plugin's name, or `<plugin>.<noun>` for a further contract of the same plugin
 *
 * @example
 * ```ts
 * export interface Plans { quota(call: Call, userId: bigint): Promise<number> }
 * export const Plans: Contract<Plans> = defineContract("plan");
 * ```
 */
export function defineContract<Shape>(id: string): Contract<Shape> {
  return { id, optional: false };
}

/** Requires a contract only where it is there: the dependency is `undefined` when no enabled plugin provides it. */
export function optional<Shape>(contract: Contract<Shape>): Contract<Shape | undefined> {
  return { id: contract.id, optional: true };
}

/**
 * Declares an extension point: other plugins contribute to it in setup, in any order; its owner reads the contributions
 * when it uses them. It is how a plugin serves those that depend on it without knowing them.
 */
export function defineExtensionPoint<Shape>(id: string): ExtensionPoint<Shape> {
  return { id };
}

/** The plugin that provides a contract: the part of its id before the first dot. */
export function providerOf(contract: Contract<unknown>): string {
  return contract.id.split(".", 1)[0]!;
}
