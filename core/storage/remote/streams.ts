import { type Client, type InStatement, LibsqlBatchError, type ResultSet, type Transaction } from "@libsql/client/web";
import { faultKind } from "./faults.ts";

/** Milliseconds after which an idle stream is left to the server, which ends it after 10 seconds. */
const KEPT_IDLE = 5000;
/** Each idle stream is one of the connections that the server allows to all instances together, 128 unless told. */
export const MAX_IDLE = 16;

/** Makes a client whose requests end with the signal that is in force when they are sent. */
export type OpenClient = (signal: () => AbortSignal) => Client;

/**
 * A connection that the server keeps from request to request. A new one costs the server more than most statements do,
 * since it reads the whole schema first. The client gives its streams out as transactions only, so this is one that was
 * ended at once: what runs on it, runs outside any, or begins one itself.
 */
export class RemoteStream {
  readonly #open: () => Promise<Transaction>;
  /** Itself, not the promise of it: some runtimes keep promises of a request that is over for ever. */
  #transaction: Transaction | undefined;
  #signal = new AbortController().signal;
  #isClosed = false;
  idleSince = 0;

  constructor(open: OpenClient) {
    this.#open = () => open(() => this.#signal).transaction("deferred");
  }

  /** Runs statements one after another until one fails; throws what the client threw. */
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

  /** Ends it; the server undoes what it has begun. */
  close(): void {
    this.#isClosed = true;
    this.#signal = AbortSignal.timeout(KEPT_IDLE);
    this.#transaction?.close();
  }
}

/** The streams of one engine; one of them serves one at a time. */
export class Streams {
  readonly #open: OpenClient;
  #idle: RemoteStream[] = [];

  constructor(open: OpenClient) {
    this.#open = open;
  }

  /** Runs statements that leave nothing begun. Throws what the client threw. */
  async run(statements: readonly InStatement[], signal: AbortSignal): Promise<ResultSet[]> {
    const stream = this.take();
    try {
      const results = await stream.run(statements, signal);
      this.giveBack(stream);
      return results;
    } catch (error) {
      this.drop(stream);
      if (/^(?:lost|ended)$/.test(faultKind(error))) this.forget();
      throw error;
    }
  }

  take(): RemoteStream {
    const last = this.#idle.pop();
    if (last !== undefined && Date.now() - last.idleSince < KEPT_IDLE) return last;
    // the others are older still
    this.#idle = [];
    return new RemoteStream(this.#open);
  }

  /** Takes back a stream that has nothing begun. */
  giveBack(stream: RemoteStream): void {
    stream.idleSince = Date.now();
    if (this.#idle.length < MAX_IDLE) this.#idle.push(stream);
    else this.drop(stream);
  }

  /** Ends a stream that something went wrong with. */
  drop(stream: RemoteStream): void {
    stream.close();
  }

  /** Leaves the idle ones, of which the server may know nothing any more. */
  forget(): void {
    this.#idle = [];
  }
}

/** Counts the statement that failed without the first ones. */
export function withoutFirst(error: unknown, count: number): unknown {
  if (!(error instanceof LibsqlBatchError)) return error;
  return Object.assign(error, { statementIndex: error.statementIndex - count });
}
