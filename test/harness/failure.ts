/** How a call failed, the same over every wire. */
export class CallFailure extends Error {
  override readonly name = "CallFailure";
  /** The envelope's code. */
  readonly code: number;
  /** The stable reason, such as `ns_domain.name_taken`. */
  readonly reason: string;

  constructor(code: number, reason: string, message: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}
