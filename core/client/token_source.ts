/** A credential that is exchanged for access tokens. */
export interface AccessKey {
  /** The kind of its owner. */
  readonly type: "admin" | "user" | "dns" | "node" | "report";
  /** The id of the access key, or the `uniqueId` of a node. */
  readonly id: string;
  /** The secret of the access key or of the node. */
  readonly secret: string;
}

/** An access token and its end. */
export interface Token {
  readonly token: string;
  /** The expiry time in unix milliseconds. */
  readonly expiresAt: number;
}

/** A token is renewed this long before its end, so that it does not end on the way. */
const MARGIN_MILLISECONDS = 60_000;

/** Keeps an access token. Calls that need a new one at the same time share one exchange. */
export class TokenSource {
  readonly #exchange: () => Promise<Token>;
  #current: Token | undefined;
  #pending: Promise<Token> | undefined;

  constructor(exchange: () => Promise<Token>) {
    this.#exchange = exchange;
  }

  async get(): Promise<string> {
    const current = this.#current;
    if (current !== undefined && Date.now() < current.expiresAt - MARGIN_MILLISECONDS) return current.token;
    this.#pending ??= this.#exchange().finally(() => this.#pending = undefined);
    this.#current = await this.#pending;
    return this.#current.token;
  }

  /** Forgets a token that the server refused, unless it was renewed meanwhile. */
  forget(token: string): void {
    if (this.#current?.token === token) this.#current = undefined;
  }
}
