import { askConsole, type Grant } from "./console_requests.ts";

/** A token is renewed this long before its end, so that it does not end on the way. */
const MARGIN_SECONDS = 60;

/** The token of the page, which is kept in its memory only and renewed with the cookie of the session. */
export class SessionToken {
  /** Waits until the reader has signed in again after the session ended. */
  readonly #signInAgain: () => Promise<Grant>;
  #grant: Grant;
  #pending: Promise<Grant> | undefined;

  constructor(grant: Grant, signInAgain: () => Promise<Grant>) {
    this.#grant = grant;
    this.#signInAgain = signInAgain;
  }

  async get(): Promise<string> {
    if (Date.now() / 1000 >= this.#grant.expiresAt - MARGIN_SECONDS) {
      this.#pending ??= this.#renew().finally(() => this.#pending = undefined);
      this.#grant = await this.#pending;
    }
    return this.#grant.token;
  }

  /** Takes the grant of a new session of the same person. */
  take(grant: Grant): void {
    this.#grant = grant;
  }

  /** Forgets the token, because the server refused it. */
  forget(): void {
    this.#grant = { ...this.#grant, expiresAt: 0 };
  }

  async #renew(): Promise<Grant> {
    const renewed = await askConsole<Partial<Grant>>("token");
    const { type, id } = this.#grant;
    const isSame = renewed.type === type && renewed.id === id;
    // Another person signed in, in another window: this page is not theirs.
    if (renewed.token !== undefined && !isSame) location.reload();
    return renewed.token === undefined ? await this.#signInAgain() : renewed as Grant;
  }
}
