import { DEFAULT_LIMITS, type Limits } from "../../../../core/base/limits.ts";
import type { Exchange } from "../../../../core/net/http1/exchange.ts";
import { Http1Server } from "../../../../core/net/http1/server.ts";
import type { TextSocketEvents } from "../../../../core/net/http1/socket.ts";
import { errorResponse } from "../../../../core/transports/http/response.ts";

const encoder = new TextEncoder();
export const latin1 = (bytes: Uint8Array, start: number, end: number) =>
  String.fromCharCode(...bytes.subarray(start, end));

/** A connection of a server without a network: what is sent to it, and everything that it sends. */
export interface Line {
  readonly server: Http1Server;
  /** The requests in the order in which they were handed over. */
  readonly exchanges: readonly Exchange[];
  readonly events: TextSocketEvents;
  send(text: string | Uint8Array): void;
  /** What was sent so far, without dates. */
  sent(): string;
  state: "open" | "ended" | "destroyed";
  isPaused: boolean;
  /** Whether the client takes what it is sent. */
  takes: boolean;
}

/** @param answer what to do with each request; by default it is answered at once with its method, path and body */
export function openLine(
  answer: (exchange: Exchange) => void = echo,
  limits: Partial<Limits> = {},
): Line {
  const exchanges: Exchange[] = [];
  let text = "";
  const server = new Http1Server({
    limits: { ...DEFAULT_LIMITS, ...limits },
    latin1,
    errorResponse,
    answer(exchange) {
      exchanges.push(exchange);
      answer(exchange);
    },
  });
  const line: Line = {
    server,
    exchanges,
    state: "open",
    isPaused: false,
    takes: true,
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
      return line.takes;
    },
    writeText(more) {
      text += more;
      return line.takes;
    },
    end: () => line.state = line.state === "open" ? "ended" : line.state,
    destroy: () => line.state = "destroyed",
    pause: () => line.isPaused = true,
    resume: () => line.isPaused = false,
  });
  return line;
}

/** Answers with the method, the path and the body. */
export function echo(exchange: Exchange): void {
  void Promise.resolve(exchange.body.whole()).then((body) => {
    const text = `${exchange.head.method} ${exchange.path} ${new TextDecoder().decode(body)}`;
    exchange.respond({ status: 200, headers: [["x-answer", text]], body: "" });
  }, () => exchange.respond({ status: 400, headers: [], body: "broken off" }));
}

/** Lets everything that is due happen. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** What `echo` answered, in order. */
export function answersIn(sent: string): string[] {
  return [...sent.matchAll(/x-answer: (.*?)\r\n/g)].map(([, answer]) => answer!);
}
