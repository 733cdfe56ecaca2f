import type { Exchange } from "../../net/http1/exchange.ts";
import type { HttpResponse } from "../../net/http_message.ts";
import type { HttpService } from "./app.ts";
import { type OverFetchOptions, respondByFetch } from "./over_fetch.ts";

export interface Http1HandlerOptions extends OverFetchOptions {
  /** Called with unexpected errors. */
  readonly onError: (thrown: unknown) => void;
}

const INTERNAL_ERROR: HttpResponse = {
  status: 500,
  headers: [["content-type", "text/plain"]],
  body: "Internal Server Error",
};

/** Creates the request handler of the HTTP/1.1 server. Operations take the direct path, everything else the app. */
export function http1Responder({ app, call }: HttpService, options: Http1HandlerOptions): (exchange: Exchange) => void {
  function fail(exchange: Exchange, thrown: unknown): void {
    options.onError(thrown);
    if (exchange.state === "waiting") exchange.respond(INTERNAL_ERROR);
    else exchange.cut();
  }

  return (exchange) => {
    const result = exchange.head.method === "POST" ? call(exchange.path, exchange) : undefined;
    const done = result?.then((response) => exchange.respond(response)) ?? respondByFetch(app, exchange, options);
    done.catch((thrown) => fail(exchange, thrown));
  };
}
