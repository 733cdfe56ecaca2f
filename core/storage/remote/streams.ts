import { type Client, type InStatement, LibsqlBatchError, type ResultSet, type Transaction } from "@libsql/client/web";
import { errorKind } from "./errors.ts";

/** The milliseconds for which an idle stream is reused. The server itself ends idle streams after 10 seconds. */
const MAX_IDLE_MILLISECONDS = 5000;
/** The maximum number of idle streams. All instances share the connections of the server, 128 by default. */
export const MAX_IDLE = 16;

/** Creates a client. Each request uses the signal that is current when the request is sent. */
export type OpenClient = (signal: () => AbortSignal) => Client;

/**
 * A database connection on the server that lasts for several requests. Opening one costs the server more than most
 * statements, because it reads the whole schema. The client exposes streams as transactions only, so this class opens a
 * transaction and commits it immediately: later statements run outside it, or begin their own.
 */
export class RemoteStream {
  readonly #open: () => Promise<Transaction>;
  /** The transaction itself, not a promise: some runtimes retain the promises of finished requests for ever. */
  #transaction: Transaction | undefined;
  #signal = new AbortController().signal;
  #isClosed = false;
  idleSince = 0;

  constructor(open: OpenClient) {
    this.#open = () => open(() => this.#signal).transaction("deferred");
  }

  /** Runs statements in order until one fails. Throws the errors of the client. */
  async run(statements: readonly InStatement[], signal: AbortSignal): Promise<ResultSet[]> {
    this.#signal = signal;
    if (this.#transaction !== undefined) return await this.#transaction.batch([...statements]);
    const transaction = this.#transaction = await this.#open();
    if (this.#isClosed) transaction.close();
    try {
      return (await transaction.batch(["commit", ...statements])).slice(1);
    } catch (error) {
      throw withoutFirst(error, 1);
    }
  }

  /** Ends the stream. The server rolls back an open transaction. */
  close(): void {
    this.#isClosed = true;
    this.#signal = AbortSignal.timeout(MAX_IDLE_MILLISECONDS);
    this.#transaction?.close();
  }
}

/** The pool of streams of one engine. */
export class Streams {
  readonly #open: OpenClient;
  #idle: RemoteStream[] = [];

  constructor(open: OpenClient) {
    this.#open = open;
  }

  /** Runs statements that leave no transaction open. Throws the errors of the client. */
  async run(statements: readonly InStatement[], signal: AbortSignal): Promise<ResultSet[]> {
    const stream = this.take();
    try {
      const results = await stream.run(statements, signal);
      this.release(stream);
      return results;
    } catch (error) {
      this.discard(stream);
      if (/^(?:lost|ended)$/.test(errorKind(error))) this.clearIdle();
      throw error;
    }
  }

  /** Takes an idle stream from the pool, or creates one. */
  take(): RemoteStream {
    const last = this.#idle.pop();
    if (last !== undefined && Date.now() - last.idleSince < MAX_IDLE_MILLISECONDS) return last;
    // the other idle streams are even older
    this.#idle = [];
    return new RemoteStream(this.#open);
  }

  /** Returns a stream without an open transaction to the pool. */
  release(stream: RemoteStream): void {
    stream.idleSince = Date.now();
    if (this.#idle.length < MAX_IDLE) this.#idle.push(stream);
    else this.discard(stream);
  }

  /** Ends a stream that is not reusable. */
  discard(stream: RemoteStream): void {
    stream.close();
  }

  /** Abandons the idle streams, which the server may have lost. */
  clearIdle(): void {
    this.#idle = [];
  }
}

/** Corrects the index of the failed statement for `count` statements that were prepended. */
export function withoutFirst(error: unknown, count: number): unknown {
  if (!(error instanceof LibsqlBatchError)) return error;
  return Object.assign(error, { statementIndex: error.statementIndex - count });
}
