import type { Call } from "../base/call.ts";
import { defineExtensionPoint, type ExtensionPoint } from "../base/contract.ts";

/** An access key that the operator chose for the first admin. */
export interface ChosenAccessKey {
  readonly id: string;
  readonly secret: string;
}

/** Runs once in the life of an installation, in the one transaction of its first start. */
export interface FirstStartTask {
  /** @returns lines for the operator, shown once and kept nowhere */
  run(call: Call, chosen: ChosenAccessKey | undefined): Promise<readonly string[]>;
}
export const FirstStart: ExtensionPoint<FirstStartTask> = defineExtensionPoint("kernel.first_start");

/** A command of the operator's command line, such as `admin create`. */
export interface Command {
  readonly name: string;
  /** The arguments and what it does, in one line. */
  readonly usage: string;
  /** Gets a call of the role `system` that may transact; answers the lines to print. */
  run(call: Call, words: readonly string[]): Promise<readonly string[]>;
}
export const Commands: ExtensionPoint<Command> = defineExtensionPoint("kernel.commands");
