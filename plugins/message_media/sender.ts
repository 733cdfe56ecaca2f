import type { Call } from "edgehelm";
import type { OutgoingMessage } from "./contract.ts";

/** What the machine that the server runs on offers: the ways out. */
export interface MessageSender {
  /** Sends a message and answers what the other side said; throws with the reason when it was not taken. */
  send(call: Call, message: OutgoingMessage): Promise<string>;
}
