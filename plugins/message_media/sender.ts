import type { Call } from "edgehelm";
import type { OutgoingMessage } from "./contract.ts";

/** The message transport of the host. */
export interface MessageSender {
  /**
   * Sends a message.
   *
   * @returns the response of the media
   * @throws Error with the cause if the message was not delivered
   */
  send(call: Call, message: OutgoingMessage): Promise<string>;
}
