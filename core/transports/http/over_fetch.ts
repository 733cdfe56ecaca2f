import type { Exchange } from "../../net/http1/exchange.ts";
import { malformed } from "../../net/http1/error.ts";
import { errorResponse } from "./response.ts";
import type { HttpBindings } from "./incoming.ts";

export interface FetchApp {
  fetch(request: Request, bindings: HttpBindings): Response | Promise<Response>;
}

export interface OverFetchOptions {
  readonly scheme: "http" | "https";
  /** Resolves after the current turn of the event loop. */
  readonly nextTurn: () => Promise<void>;
}

/** Serves an exchange with a fetch app, for pages, gRPC-Web and Connect. */
export async function respondByFetch(app: FetchApp, exchange: Exchange, options: OverFetchOptions): Promise<void> {
  const disconnected = new AbortController();
  exchange.watchCaller(() => disconnected.abort());
  const request = requestOf(exchange, options.scheme, disconnected.signal);
  if (request === undefined) return exchange.respond(errorResponse(malformed("the target of the request")));
  const response = await app.fetch(request, { call: exchange });
  const headers: [string, string][] = [...response.headers];
  const { status, body } = response;
  if (body === null) return exchange.respond({ status, headers, body: "" });
  const reader = body.getReader();
  disconnected.signal.addEventListener("abort", () => void reader.cancel().catch(() => {}));
  const first = await reader.read();
  const second = first.done ? first : reader.read();
  // A body that is complete immediately is sent with its length; any other is streamed.
  const ready = await Promise.race([second, options.nextTurn()]);
  if (ready?.done) return exchange.respond({ status, headers, body: first.value ?? "" });
  exchange.begin({ status, headers });
  await exchange.write(first.value!);
  for (let next = await second; !next.done && !exchange.isGone; next = await reader.read()) {
    await exchange.write(next.value);
  }
  exchange.end();
}

/** Creates a Request. Returns undefined if the target is not a URL, or if Request does not support the method. */
function requestOf(exchange: Exchange, scheme: string, signal: AbortSignal): Request | undefined {
  const { method, target, headers } = exchange.head;
  const url = target.startsWith("/")
    ? `${scheme}://${headers.get("host") || "localhost"}${target}`
    : /^https?:\/\//i.test(target)
    ? target
    : undefined;
  if (url === undefined || !URL.canParse(url)) return undefined;
  try {
    return new Request(url, { method, headers: [...headers], signal });
  } catch {
    return undefined;
  }
}
