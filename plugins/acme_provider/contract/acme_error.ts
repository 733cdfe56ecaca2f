/** The text of a provider is kept up to this length. */
const MAX_TEXT = 1000;

/** An error of a provider, with the provider's own words, or of the way to it. */
export class ACMEError extends Error {
  override readonly name = "ACMEError";
  /** The type of the problem document (RFC 8555, 6.7) without its namespace, such as `rateLimited`; may be empty. */
  readonly type: string;
  /** The status of the response; 0 if there was none. */
  readonly status: number;
  /** The time that the provider asks to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(text: string, type = "", status = 0, retryAfterSeconds?: number) {
    super(text.slice(0, MAX_TEXT).toWellFormed());
    this.type = type;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** True if the same request may succeed later without a change of anything. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status >= 500 || this.status === 429 || this.type === "rateLimited" ||
      this.type === "badNonce";
  }
}
