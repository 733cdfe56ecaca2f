import { DEFAULT_LIMITS, type Limits } from "../../../../core/base/limits.ts";
import type { Exchange } from "../../../../core/net/http1/exchange.ts";
import { Http1Server } from "../../../../core/net/http1/server.ts";
import type { TextSocketEvents } from "../../../../core/net/http1/socket.ts";
import { errorResponse } from "../../../../core/transports/http/response.ts";

const encoder = new TextEncoder();
export const latin1 = (bytes: Uint8Array, start: number, end: number) =>
  String.fromCharCode(...bytes.subarray(start, end));

/** A connection to a server without a network. */
export interface FakeConnection {
  readonly server: Http1Server;
  /** The requests in the order in which the server passed them to its handler. */
  readonly exchanges: readonly Exchange[];
  readonly events: TextSocketEvents;
  /** Sends bytes to the server. */
  send(text: string | Uint8Array): void;
  /** Returns everything that the server has sent, without dates. */
  sent(): string;
  state: "open" | "ended" | "destroyed";
  isPaused: boolean;
  /** The result of writes to the socket: false once its buffer is full. */
  acceptsWrites: boolean;
}

/** @param handle handles each request; by default it responds with the method, path and body */
export function connect(
  handle: (exchange: Exchange) => void = echo,
  limits: Partial<Limits> = {},
): FakeConnection {
  const exchanges: Exchange[] = [];
  let text = "";
  const server = new Http1Server({
    limits: { ...DEFAULT_LIMITS, ...limits },
    latin1,
    errorResponse,
    handle(exchange) {
      exchanges.push(exchange);
      handle(exchange);
    },
  });
  const connection: FakeConnection = {
    server,
    exchanges,
    state: "open",
    isPaused: false,
    acceptsWrites: true,
    sent: () => text.replace(/date: .*?\r\n/g, ""),
    send: (bytes) => events.received(typeof bytes === "string" ? encoder.encode(bytes) : bytes),
    get events() {
      return events;
    },
  };
  const events = server.connect({
    remoteAddress: "192.0.2.1",
    write(bytes) {
      text += latin1(bytes, 0, bytes.length);
      return connection.acceptsWrites;
    },
    writeText(more) {
      text += more;
      return connection.acceptsWrites;
    },
    end: () => connection.state = connection.state === "open" ? "ended" : connection.state,
    destroy: () => connection.state = "destroyed",
    pause: () => connection.isPaused = true,
    resume: () => connection.isPaused = false,
  });
  return connection;
}

/** Responds with the method, the path and the body of a request in the header x-echo. */
export function echo(exchange: Exchange): void {
  void Promise.resolve(exchange.body.whole()).then((body) => {
    const text = `${exchange.head.method} ${exchange.path} ${new TextDecoder().decode(body)}`;
    exchange.respond({ status: 200, headers: [["x-echo", text]], body: "" });
  }, () => exchange.respond({ status: 400, headers: [], body: "aborted" }));
}

/** Resolves when all due work has run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Returns the x-echo headers of the responses, in order. */
export function responsesIn(sent: string): string[] {
  return [...sent.matchAll(/x-echo: (.*?)\r\n/g)].map(([, value]) => value!);
}
