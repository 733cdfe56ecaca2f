import { type Call, type Clock, RpcError } from "edgehelm";
import { errorText, PROGRAM_VERSION } from "edgehelm/runtime";
import { ACMEError } from "../contract/acme_error.ts";
import type { ACMEProviderInfo } from "../contract.ts";
import { importKey, signed } from "../contract/jws.ts";
import { errorOf, type JsonObject, jsonOf, textOf } from "./responses.ts";

const TIMEOUT_MILLISECONDS = 20_000;
const MAX_BYTES = 262_144;
const DIRECTORY_MILLISECONDS = 3_600_000;
const MAX_NONCES = 20;
const MAX_ATTEMPTS = 10;

/** The URLs of a provider (RFC 8555, 7.1.1). */
export interface Directory {
  readonly newNonce: string;
  readonly newAccount: string;
  readonly newOrder: string;
  readonly revokeCert: string;
  readonly keyChange: string;
}

/** Signs a request: with the URL of an account, or with the public key where there is none yet. */
export interface Signer {
  readonly key: string;
  readonly url?: string;
}

/** The requests to one provider, which share a directory and unused nonces. */
export class ProviderSession {
  readonly #provider: ACMEProviderInfo;
  readonly #clock: Clock;
  readonly #nonces: string[] = [];
  #directory: { readonly urls: Directory; readonly until: number } | undefined;

  constructor(provider: ACMEProviderInfo, clock: Clock) {
    this.#provider = provider;
    this.#clock = clock;
  }

  get clock(): Clock {
    return this.#clock;
  }

  async directory(call: Call): Promise<Directory> {
    const now = this.#clock.now();
    if (this.#directory !== undefined && this.#directory.until > now) return this.#directory.urls;
    const { apiURL } = this.#provider;
    const response = await this.#send(call, apiURL, { method: "GET" });
    const host = new URL(apiURL).host;
    if (!response.ok) throw await errorOf(host, response, this.#clock);
    const found = await jsonOf(host, response);
    const url = (name: string) => requireUrl(host, name, found[name]);
    const urls = {
      newNonce: url("newNonce"),
      newAccount: url("newAccount"),
      newOrder: url("newOrder"),
      revokeCert: url("revokeCert"),
      keyChange: url("keyChange"),
    };
    this.#directory = { urls, until: now + DIRECTORY_MILLISECONDS };
    return urls;
  }

  /**
   * Sends a signed request; an undefined payload only reads. A nonce that the provider refuses is replaced.
   *
   * @throws ACMEError for a status that is not a success
   */
  async post(call: Call, signer: Signer, url: string, payload: object | undefined, accept = ""): Promise<Response> {
    const { privateKey, jwk } = await importKey(signer.key);
    const by = signer.url === undefined ? { jwk } : { kid: signer.url };
    for (let attempt = 1;; attempt++) {
      const nonce = this.#nonces.pop() ?? await this.#newNonce(call);
      const body = JSON.stringify(await signed(privateKey, { ...by, nonce, url }, payload));
      const headers = { "content-type": "application/jose+json", ...accept && { accept } };
      const response = await this.#send(call, url, { method: "POST", headers, body });
      this.#keepNonce(response);
      if (response.ok) return response;
      const error = await errorOf(new URL(url).host, response, this.#clock);
      if (error.type !== "badNonce" || attempt === MAX_ATTEMPTS) throw error;
    }
  }

  /** Like `post`, and returns the object in the response. */
  async postJson(
    call: Call,
    signer: Signer,
    url: string,
    payload: object | undefined,
  ): Promise<[JsonObject, Response]> {
    const response = await this.post(call, signer, url, payload);
    return [await jsonOf(new URL(url).host, response), response];
  }

  async #newNonce(call: Call): Promise<string> {
    const { newNonce } = await this.directory(call);
    const response = await this.#send(call, newNonce, { method: "HEAD" });
    const nonce = response.headers.get("replay-nonce");
    if (nonce === null) throw new ACMEError(`${new URL(newNonce).host} sent no nonce`);
    return nonce;
  }

  #keepNonce(response: Response): void {
    const nonce = response.headers.get("replay-nonce");
    if (nonce !== null && this.#nonces.length < MAX_NONCES) this.#nonces.push(nonce);
  }

  async #send(
    call: Call,
    url: string,
    init: { readonly method: string; readonly headers?: Record<string, string>; readonly body?: string },
  ): Promise<Response> {
    const { ca } = this.#provider;
    try {
      return await call.fetch(url, {
        ...init,
        headers: { "user-agent": `edgehelm/${PROGRAM_VERSION}`, ...init.headers },
        redirect: init.method === "POST" ? "error" : "follow",
        timeoutMilliseconds: TIMEOUT_MILLISECONDS,
        maxBytes: MAX_BYTES,
        ...ca && { ca },
      });
    } catch (error) {
      if (call.signal.aborted || error instanceof RpcError && error.kind === "deadline") throw error;
      // what the guard refuses stays refused until the settings change
      const status = error instanceof RpcError && error.kind === "invalid" ? 400 : 0;
      throw new ACMEError(`${new URL(url).host} cannot be reached: ${messageOf(error)}`, "", status);
    }
  }
}

/** Returns a URL that a provider sent. */
export function requireUrl(host: string, name: string, value: unknown): string {
  const url = textOf(value);
  if (URL.canParse(url) && /^https?:/.test(url)) return url;
  throw new ACMEError(`${host} sent no URL as ${name}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : errorText(error);
}
