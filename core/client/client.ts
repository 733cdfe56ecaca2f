import { hexText } from "../base/hex.ts";
import type { DescMethod, DescService, MessageInitShape } from "@bufbuild/protobuf";
import { MAX_TIMER } from "../base/clock.ts";
import { ApiError } from "./api_error.ts";
import { callConnect, streamConnect } from "./connect.ts";
import { callHttpJson } from "./http_json.ts";
import { postJson } from "./post_json.ts";
import type { Fetch, RequestContext } from "./request.ts";
import { type RetryOptions, withRetries } from "./retry.ts";
import type { CallOptions, ServiceClient } from "./service_client.ts";
import { type AccessKey, type Token, TokenSource } from "./token_source.ts";

/** The options of {@link createClient}. */
export interface ClientOptions {
  /** The address of the installation, such as `https://api.example.com`. */
  readonly baseUrl: string;
  /** The access key whose tokens calls carry. The client exchanges it when it needs a token, and renews the token. */
  readonly accessKey?: AccessKey;
  /** Returns the access token for calls, in place of an access key. */
  readonly token?: () => string | Promise<string>;
  /** The protocol of unary calls. `json` by default; `connect` is smaller on the wire. Streams always use Connect. */
  readonly protocol?: "json" | "connect";
  readonly retry?: RetryOptions;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch;
}

/** A client of one installation. */
export interface Client {
  /** Returns the typed operations of a service, of this project or of a vendor's plugin. */
  service<Service extends DescService>(service: Service): ServiceClient<Service>;
}

/** The path of the exchange of access keys. It is called without its descriptor, which most clients do not need. */
const TOKEN_PATH = "/APIAccessTokenService/getAPIAccessToken";
const TOKEN_HEADER = "x-cloud-access-token";

/**
 * Creates a client. It sends calls with fetch, so it runs in browsers, workers, Deno and Node. Over HTTP JSON each call
 * carries an idempotency key, so it is tried again when the server cannot be reached or is overloaded. Over Connect, which
 * has no such keys, it is not.
 *
 * @example
 * ```ts
 * import { createClient } from "edgehelm/client";
 * import { NSDomainService } from "edgehelm/plugins/ns_domain/proto/service_ns_domain_pb.js";
 *
 * const accessKey = { type: "admin", id: "aP8dD4Vq0mTzWc2R", secret: "Zx5nQ0uM7bLk3sJv9YtRe2Wd6HfGaCp1" } as const;
 * const domains = createClient({ baseUrl: "http://127.0.0.1:8080", accessKey }).service(NSDomainService);
 * const { nsDomainId } = await domains.createNSDomain({ nsClusterId: 1n, name: "example.com" });
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const { accessKey, token } = options;
  const baseUrl = options.baseUrl.endsWith("/") ? options.baseUrl.slice(0, -1) : options.baseUrl;
  const fetch: Fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const retry = options.retry ?? {};
  const exchange = (key: AccessKey) => withRetries(() => exchangeKey(key, { baseUrl, fetch }), retry, undefined);
  const caller: Caller = {
    baseUrl,
    fetch,
    tokens: accessKey === undefined ? undefined : new TokenSource(() => exchange(accessKey)),
    token,
    isJson: options.protocol !== "connect",
    retry,
  };
  return {
    service: (service) => {
      const methods = service.methods.map((method) => [method.localName, methodOf(caller, method)]);
      return Object.fromEntries(methods) as ServiceClient<typeof service>;
    },
  };
}

interface Caller {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly tokens: TokenSource | undefined;
  readonly token: ClientOptions["token"];
  readonly isJson: boolean;
  readonly retry: RetryOptions;
}

function methodOf(caller: Caller, method: DescMethod) {
  return (request: MessageInitShape<typeof method.input> = {}, options: CallOptions = {}) => {
    if (method.methodKind === "unary") return callUnary(caller, method, request, options);
    if (method.methodKind === "server_streaming") return openStream(caller, method, request, options);
    throw new Error(`${method.toString()} streams requests, which needs gRPC`);
  };
}

async function callUnary(
  caller: Caller,
  method: DescMethod,
  request: MessageInitShape<typeof method.input>,
  options: CallOptions,
) {
  const signal = signalOf(options);
  if (!caller.isJson) return await withToken(caller, {}, signal, (context) => callConnect(method, request, context));
  const headers = { "idempotency-key": options.idempotencyKey ?? newKey() };
  const attempt = () => withToken(caller, headers, signal, (context) => callHttpJson(method, request, context));
  return await withRetries(attempt, caller.retry, signal);
}

/** Returns a new idempotency key. Browsers have randomUUID on pages over HTTPS only. */
function newKey(): string {
  return hexText(crypto.getRandomValues(new Uint8Array(16)));
}

async function* openStream(
  caller: Caller,
  method: DescMethod,
  request: MessageInitShape<typeof method.input>,
  options: CallOptions,
) {
  yield* streamConnect(method, request, await contextOf(caller, {}, signalOf(options)));
}

/** Makes a call with a token, and once more with a new one if the server refuses the token. */
async function withToken<Result>(
  caller: Caller,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
  call: (context: RequestContext) => Promise<Result>,
): Promise<Result> {
  const context = await contextOf(caller, headers, signal);
  try {
    return await call(context);
  } catch (error) {
    const token = context.headers[TOKEN_HEADER];
    const isRefused = error instanceof ApiError && error.code === 401 && token !== undefined;
    if (!isRefused || caller.tokens === undefined) throw error;
    caller.tokens.forget(token);
    return await call(await contextOf(caller, headers, signal));
  }
}

async function contextOf(
  { baseUrl, fetch, tokens, token }: Caller,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<RequestContext> {
  const carried = await (tokens === undefined ? token?.() : tokens.get());
  const all = carried === undefined ? headers : { ...headers, [TOKEN_HEADER]: carried };
  return { baseUrl, fetch, headers: all, signal };
}

async function exchangeKey(
  { type, id, secret }: AccessKey,
  { baseUrl, fetch }: Pick<Caller, "baseUrl" | "fetch">,
): Promise<Token> {
  const body = JSON.stringify({ type, accessKeyId: id, accessKey: secret });
  const data = await postJson(TOKEN_PATH, body, { baseUrl, fetch, headers: {}, signal: undefined });
  const { token, expiresAt } = data as { readonly token: string; readonly expiresAt: number };
  return { token, expiresAt: expiresAt * 1000 };
}

function signalOf({ signal, timeoutMilliseconds }: CallOptions): AbortSignal | undefined {
  if (timeoutMilliseconds === undefined) return signal;
  const timeout = AbortSignal.timeout(Math.min(timeoutMilliseconds, MAX_TIMER));
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}
