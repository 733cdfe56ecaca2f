import { ApiError } from "../../client/api_error.ts";
import { postJson } from "../../client/post_json.ts";
import { withRetries } from "../../client/retry.ts";
import type { AccessKey, Token } from "../../client/token_source.ts";
import { type Profile, saveProfile } from "./profiles.ts";

const TOKEN_PATH = "/APIAccessTokenService/getAPIAccessToken";
/** A token is replaced this long before its end, so that it does not end on the way. */
const MARGIN_MILLISECONDS = 60_000;

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The idempotency key of a write; random by default. */
  readonly idempotencyKey?: string | undefined;
  /** Called if the response is that to an earlier request with the key. */
  readonly onReplay?: (() => void) | undefined;
}

/** Calls an installation with the access key of a profile. Tokens are kept in the profile for the next commands. */
export class Session {
  readonly #name: string;
  #profile: Profile;

  constructor(name: string, profile: Profile) {
    this.#name = name;
    this.#profile = profile;
  }

  get url(): string {
    return this.#profile.url;
  }

  /**
   * Calls an operation. A write carries an idempotency key, so it is safely tried again.
   *
   * @param body the request as JSON
   * @returns the data of the response
   * @throws ApiError
   */
  async call(
    path: string,
    body: string,
    { signal, idempotencyKey = crypto.randomUUID(), onReplay }: CallOptions = {},
  ): Promise<unknown> {
    const onHeaders = (headers: Headers) => {
      if (isReplay(headers)) onReplay?.();
    };
    const post = async (token: string) => {
      const headers = { "x-cloud-access-token": token, "idempotency-key": idempotencyKey };
      return await postJson(path, body, { baseUrl: this.url, fetch, headers, signal, onHeaders });
    };
    return await withRetries(
      async () => {
        const token = await this.#token();
        try {
          return await post(token);
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 401) throw error;
          return await post(await this.#renewed());
        }
      },
      {},
      signal,
    );
  }

  async #token(): Promise<string> {
    const { token } = this.#profile;
    return token !== undefined && Date.now() < token.expiresAt - MARGIN_MILLISECONDS
      ? token.token
      : await this.#renewed();
  }

  async #renewed(): Promise<string> {
    const token = await exchange(this.url, this.#profile.accessKey);
    this.#profile = { ...this.#profile, token };
    await saveProfile(this.#name, this.#profile, { isCurrent: false });
    return token.token;
  }
}

/** Returns true for the headers of the response to an earlier request with the same idempotency key. */
export function isReplay(headers: Headers): boolean {
  return headers.get("idempotent-replayed") === "true";
}

/**
 * Exchanges an access key for an access token.
 *
 * @throws ApiError
 */
export async function exchange(url: string, { type, id, secret }: AccessKey): Promise<Token> {
  const body = JSON.stringify({ type, accessKeyId: id, accessKey: secret });
  const data = await postJson(TOKEN_PATH, body, { baseUrl: url, fetch, headers: {}, signal: undefined });
  const { token, expiresAt } = data as { readonly token: string; readonly expiresAt: number };
  return { token, expiresAt: expiresAt * 1000 };
}
