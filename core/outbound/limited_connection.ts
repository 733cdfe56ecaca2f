import type { OutboundConnection, OutboundTls } from "../base/outbound.ts";
import { limitedStream } from "./limited_stream.ts";
import type { TimeLimit } from "./time_limit.ts";

/** A connection with limits on its time and on what it receives. */
export class LimitedConnection implements OutboundConnection {
  readonly #connection: OutboundConnection;
  readonly #host: string;
  readonly #maxBytes: number;
  readonly #time: TimeLimit;
  readonly readable: OutboundConnection["readable"];

  constructor(connection: OutboundConnection, host: string, maxBytes: number, time: TimeLimit) {
    this.#connection = connection;
    this.#host = host;
    this.#maxBytes = maxBytes;
    this.#time = time;
    this.readable = limitedStream(connection.readable, {
      host,
      maxBytes,
      errorOf: (error) => time.errorOf(error),
      // the other direction may still be in use
      ended: () => {},
    });
  }

  get remoteAddress(): string {
    return this.#connection.remoteAddress;
  }
  get writable(): OutboundConnection["writable"] {
    return this.#connection.writable;
  }

  async startTls(options: OutboundTls = {}): Promise<OutboundConnection> {
    try {
      const secured = await this.#connection.startTls(options);
      return new LimitedConnection(secured, this.#host, this.#maxBytes, this.#time);
    } catch (error) {
      this.close();
      throw this.#time.errorOf(error);
    }
  }

  close(): void {
    this.#time.end();
    this.#connection.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }
}
