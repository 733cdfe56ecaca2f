import type { Exchange } from "../../net/http1/exchange.ts";
import type { HttpResponse } from "../../net/http_message.ts";
import type { HttpService } from "./app.ts";
import { type OverFetchOptions, respondByFetch } from "./over_fetch.ts";

export interface Http1HandlerOptions extends OverFetchOptions {
  /** Told of what went wrong where nobody expected it. */
  readonly onError: (thrown: unknown) => void;
}

const FAILED: HttpResponse = { status: 500, headers: [["content-type", "text/plain"]], body: "Internal Server Error" };

/** What answers the requests of our own HTTP/1.1 server: operations at once, everything else by the app. */
export function http1Responder({ app, call }: HttpService, options: Http1HandlerOptions): (exchange: Exchange) => void {
  function failed(exchange: Exchange, thrown: unknown): void {
    options.onError(thrown);
    if (exchange.state === "waiting") exchange.respond(FAILED);
    else exchange.cut();
  }

  return (exchange) => {
    const answer = exchange.head.method === "POST" ? call(exchange.path, exchange) : undefined;
    const done = answer?.then((whole) => exchange.respond(whole)) ?? respondByFetch(app, exchange, options);
    done.catch((thrown) => failed(exchange, thrown));
  };
}
