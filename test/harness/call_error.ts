/** The error that a test call throws. It is the same over every protocol. */
export class CallError extends Error {
  override readonly name = "CallError";
  /** The code of the envelope, such as 404. */
  readonly code: number;
  /** The stable reason, such as `ns_domain.name_taken`. */
  readonly reason: string;

  constructor(code: number, reason: string, message: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}
