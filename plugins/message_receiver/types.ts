import { invalid } from "edgehelm";
import type { EventKind } from "edgehelm/runtime";

const LEVELS = ["info", "success", "warning", "error"];
const KIND = /^[a-z][a-z0-9_]{0,59}\.[a-z][a-z0-9_]{0,59}$/;
const ALL = "*";

/**
 * Checks what a receiver is notified of. Kinds that no plugin declares are accepted: their plugin may be turned off for a
 * while.
 */
export function checkType(field: string, type: string): void {
  if (type === ALL || LEVELS.includes(type) || KIND.test(type)) return;
  throw invalid(
    field,
    `must be a kind such as ns_node.went_offline, ${LEVELS.join(", ")} or *, got "${type.slice(0, 60)}"`,
  );
}

/** Returns the types of receivers that are notified of events of a kind. */
export function typesOf({ name, level }: EventKind): string[] {
  return [name, level, ALL];
}
