import type { Call } from "edgehelm";
import type { SendResult } from "../contract.ts";

/** An email, and the mail server that takes it. */
export interface OutgoingMail {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  /** `tls` from the first byte, `startTLS` or not at all; `opportunistic` is STARTTLS where the server offers it. */
  readonly encryption: string;
  /** The certificates of authorities, as PEM, to trust in place of those of the runtime; empty means the latter. */
  readonly ca: string;
  /** Empty means no login. */
  readonly username: string;
  readonly password: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly body: string;
}

/** The mail transport of a machine. */
export interface MailTransport {
  send(call: Call, mail: OutgoingMail): Promise<SendResult>;
}
