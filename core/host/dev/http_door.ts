import type { Exchange } from "../../net/http1/exchange.ts";
import { type Http1HandlerOptions, http1Responder } from "../../transports/http/http1_handler.ts";
import type { HttpService } from "../../transports/http/app.ts";

/** Passes the requests of an HTTP listener to the service that is open, and holds them while there is none. */
export class HttpDoor {
  #options: Http1HandlerOptions | undefined;
  #respond: ((exchange: Exchange) => void) | undefined;
  #held: Exchange[] = [];

  /** Creates the responder of the listener. */
  responder(options: Http1HandlerOptions): (exchange: Exchange) => void {
    this.#options = options;
    return (exchange) => {
      if (this.#respond === undefined) this.#held.push(exchange);
      else this.#respond(exchange);
    };
  }

  /** Passes requests to a service, first those that were held. */
  pass(service: HttpService): void {
    if (this.#options === undefined) throw new Error("the door has no listener");
    const respond = http1Responder(service, this.#options);
    this.#respond = respond;
    for (const exchange of this.#held.splice(0)) respond(exchange);
  }

  /** Holds requests from now on. */
  hold(): void {
    this.#respond = undefined;
  }
}
