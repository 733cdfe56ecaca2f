import type { Event, Order } from "./checker.ts";
import type { Action } from "./record_model.ts";

/** A call through one of several instances. */
export interface InstanceEvent extends Event<Action, string> {
  readonly instance: number;
}

/**
 * Orders calls as instances with replicas promise: writes see everything that was written before, a read everything that was
 * written before through its own instance, and nothing that is written after it.
 */
export const throughReplicas: Order<InstanceEvent> = (first, second) => {
  if (first.to >= second.from) return false;
  return isWrite(second) || isWrite(first) && first.instance === second.instance;
};

function isWrite({ action: { kind } }: InstanceEvent): boolean {
  return kind === "create" || kind === "update" || kind === "delete";
}
