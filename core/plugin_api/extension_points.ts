import type { Call } from "../base/call.ts";
import { defineExtensionPoint, type ExtensionPoint } from "../base/contract.ts";

/** An access key that the operator chose for the first admin, instead of a random one. */
export interface ChosenAccessKey {
  readonly id: string;
  readonly secret: string;
}

/** A task that runs once per installation, in the transaction of its first start. */
export interface FirstStartTask {
  /**
   * Runs the task.
   *
   * @param call a call of the role `system`, inside the transaction
   * @param chosen the operator's choice for the first access key, if any
   * @returns lines for the operator, which are printed once and not stored
   */
  run(call: Call, chosen: ChosenAccessKey | undefined): Promise<readonly string[]>;
}

/**
 * The extension point for tasks of an installation's first start.
 *
 * @example
 * ```ts
 * contribute(FirstStart, {
 *   async run(call) {
 *     await store.insert.run(call, { name: "default" });
 *     return ["created the plan \"default\""];
 *   },
 * });
 * ```
 */
export const FirstStart: ExtensionPoint<FirstStartTask> = defineExtensionPoint("kernel.first_start");

/** A command of the operator's command line, such as `admin create`. */
export interface Command {
  readonly name: string;
  /** The arguments and a description, in one line. */
  readonly usage: string;
  /**
   * Runs the command.
   *
   * @param call a call of the role `system` that may transact
   * @param args the arguments after the command's name
   * @returns the lines to print
   */
  run(call: Call, args: readonly string[]): Promise<readonly string[]>;
}

/**
 * The extension point for commands.
 *
 * @example
 * ```ts
 * contribute(Commands, {
 *   name: "plan rename",
 *   usage: "plan rename <id> <name>: renames a plan",
 *   async run(call, [id = "", name = ""]) {
 *     await call.transact((inner) => store.rename.run(inner, { id: BigInt(id), name }));
 *     return [`renamed plan ${id}`];
 *   },
 * });
 * ```
 */
export const Commands: ExtensionPoint<Command> = defineExtensionPoint("kernel.commands");
