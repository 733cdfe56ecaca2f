const constants = new WeakSet<object>();

/**
 * Marks a message that never changes again, so that it is converted to JSON only once. Use it for messages that many
 * responses contain, such as the cluster of a domain, and that the plugin keeps in memory.
 *
 * @param message a message inside responses; it must not be changed afterwards
 * @returns the same message
 *
 * @example
 * ```ts
 * import { constantMessage } from "edgehelm/wire";
 *
 * const cluster = constantMessage({ id: 7n, name: "Europe" });
 * return { domains: rows.map((row) => ({ ...domainMessage(row), cluster })) };
 * ```
 */
export function constantMessage<Message extends object>(message: Message): Message {
  constants.add(message);
  return message;
}

/** Returns true if the message was marked by {@link constantMessage}. */
export function isConstant(message: object): boolean {
  return constants.has(message);
}
