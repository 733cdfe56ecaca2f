import { connect, type Socket } from "node:net";
import { httpOutcome, noOutcome, type Outcome } from "./outcome.ts";
import type { WireRequest } from "./http_requests.ts";

/** The time to wait for the response to a request that may be incomplete, before the client ends it. */
const RAW_MILLISECONDS = 200;

/** Sends requests one after the other, over one connection as long as the server keeps it. */
export class HttpConnection {
  readonly #port: number;
  #socket: Socket | undefined;
  #isReused = false;

  constructor(port: number) {
    this.#port = port;
  }

  async send(request: WireRequest): Promise<Outcome> {
    const wasReused = this.#isReused;
    const outcome = await this.#exchange(request);
    // The server may have closed a connection that it had kept until then.
    return outcome.code === "closed" && request.isValidHttp && wasReused ? await this.#exchange(request) : outcome;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#isReused = false;
  }

  #exchange({ bytes, isValidHttp }: WireRequest): Promise<Outcome> {
    if (!isValidHttp) this.close();
    const socket = this.#socket ??= connect({ port: this.#port, host: "127.0.0.1", allowHalfOpen: true });
    const isNew = !this.#isReused;
    const started = performance.now();
    return new Promise((resolve) => {
      let response = "";
      let isConnected = !isNew;
      let isTimedOut = false;
      const timer = isValidHttp ? undefined : setTimeout(() => {
        isTimedOut = true;
        socket.end();
      }, RAW_MILLISECONDS);
      const finish = (mayKeep: boolean) => {
        clearTimeout(timer);
        socket.removeAllListeners();
        socket.on("error", () => {});
        this.#isReused = mayKeep && isValidHttp && !socket.destroyed &&
          !/\r\nconnection: *close/i.test(headOf(response));
        if (this.#isReused) socket.once("close", () => socket === this.#socket && this.close());
        else this.close();
        const milliseconds = performance.now() - started;
        if (response !== "") resolve(httpOutcome(response, milliseconds));
        else resolve(noOutcome(!isConnected ? "refused" : isTimedOut ? "timeout" : "closed", milliseconds));
      };
      socket.on("connect", () => isConnected = true);
      socket.on("data", (chunk) => {
        response += chunk.toString("latin1");
        if (isComplete(response)) finish(true);
      });
      for (const event of ["end", "error", "close"]) socket.once(event, () => finish(false));
      socket.write(bytes);
    });
  }
}

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

function headOf(response: string): string {
  return response.slice(0, response.indexOf("\r\n\r\n") + 2);
}

function isComplete(response: string): boolean {
  const start = response.lastIndexOf(CONTINUE);
  const rest = start === -1 ? response : response.slice(start + CONTINUE.length);
  const end = rest.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const head = rest.slice(0, end + 2);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return rest.length >= end + 4 + Number(length);
  return !/\r\ntransfer-encoding: *chunked/i.test(head) || endsWithLastChunk(rest, end + 4);
}

/** Returns true if chunks are complete, without trailers. */
function endsWithLastChunk(text: string, start: number): boolean {
  // Most incomplete responses end otherwise, which spares parsing them again and again.
  if (!text.endsWith("0\r\n\r\n")) return false;
  for (let at = start;;) {
    const size = parseInt(text.slice(at, at + 10), 16);
    if (size === 0) return true;
    at = text.indexOf("\r\n", at) + 2 + size + 2;
    if (!(at < text.length)) return false;
  }
}
