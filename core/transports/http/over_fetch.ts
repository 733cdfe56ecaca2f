import type { Exchange } from "../../net/http1/exchange.ts";
import { malformed } from "../../net/http1/error.ts";
import { errorResponse } from "./response.ts";
import type { HttpBindings } from "./incoming.ts";

export interface FetchApp {
  fetch(request: Request, bindings: HttpBindings): Response | Promise<Response>;
}

export interface OverFetchOptions {
  readonly scheme: "http" | "https";
  /** Resolves when what can be done now was done. */
  readonly nextTurn: () => Promise<void>;
}

/** Answers an exchange by an app that speaks in Request and Response: pages, gRPC-Web, Connect. */
export async function respondByFetch(app: FetchApp, exchange: Exchange, options: OverFetchOptions): Promise<void> {
  const gone = new AbortController();
  exchange.watchCaller(() => gone.abort());
  const request = requestOf(exchange, options.scheme, gone.signal);
  if (request === undefined) return exchange.respond(errorResponse(malformed("the target of the request")));
  const response = await app.fetch(request, { call: exchange });
  const headers: [string, string][] = [...response.headers];
  const { status, body } = response;
  if (body === null) return exchange.respond({ status, headers, body: "" });
  const reader = body.getReader();
  gone.signal.addEventListener("abort", () => void reader.cancel().catch(() => {}));
  const first = await reader.read();
  const second = first.done ? first : reader.read();
  // What is whole at once is sent with its length; what takes time is sent as it comes.
  const soon = await Promise.race([second, options.nextTurn()]);
  if (soon?.done) return exchange.respond({ status, headers, body: first.value ?? "" });
  exchange.begin({ status, headers });
  await exchange.write(first.value!);
  for (let next = await second; !next.done && !exchange.isGone; next = await reader.read()) {
    await exchange.write(next.value);
  }
  exchange.end();
}

/** Undefined for a request that has no URL, or a method that no Request may have. */
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
