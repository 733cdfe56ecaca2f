import { type InStatement, LibsqlBatchError, type ResultSet } from "@libsql/client/web";
import { kernelErrors, RpcError } from "../../base/errors.ts";
import { withDeadline, withRetries } from "./deadline.ts";
import { errorKind, toEngineError } from "./errors.ts";
import { type RemoteStream, type Streams, withoutFirst } from "./streams.ts";

const UNKNOWN =
  "the response to COMMIT was lost, so the outcome is unknown: check whether the change was made before " +
  "retrying, or send an Idempotency-Key with the first attempt";
/** The time limit of ROLLBACK, in milliseconds. */
export const ROLLBACK_TIME = 2000;

/** One interactive write transaction. BEGIN is sent together with the first statements. */
export class RemoteTransaction {
  readonly #streams: Streams;
  readonly #signal: AbortSignal;
  readonly #until: number;
  readonly #milliseconds: number;
  readonly #expired = Promise.withResolvers<never>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stream: RemoteStream | undefined;
  #ended = false;
  #wasEndedByServer = false;

  /**
   * @param until the deadline in unix milliseconds
   * @param milliseconds the maximum duration from BEGIN
   */
  constructor(streams: Streams, until: number, milliseconds: number) {
    this.#streams = streams;
    this.#signal = AbortSignal.timeout(Math.max(0, until + ROLLBACK_TIME - Date.now()));
    this.#until = until;
    this.#milliseconds = milliseconds;
    this.#expired.promise.catch(() => undefined);
  }

  get hasBegun(): boolean {
    return this.#stream !== undefined;
  }

  /** True if the server rolled this transaction back in favour of another writer. */
  get wasEndedByServer(): boolean {
    return this.#wasEndedByServer;
  }

  /** Waits for the work of this transaction. Rejects when the transaction expires. */
  async raceExpiry<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#expireAt(this.#until);
    return await Promise.race([work(), this.#expired.promise]);
  }

  /** Runs statements in order until one fails. Throws the errors of the client. */
  async run(statements: InStatement[]): Promise<ResultSet[]> {
    try {
      if (this.#stream !== undefined) return await this.#stream.run(statements, this.#signal);
      // nothing is durable before COMMIT, so BEGIN can be retried after a lost response
      return await withRetries(this.#until, () => this.#begin(statements));
    } catch (error) {
      this.#wasEndedByServer ||= /^(?:busy|ended)$/.test(errorKind(error));
      throw error;
    }
  }

  async #begin(statements: InStatement[]): Promise<ResultSet[]> {
    const stream = this.#streams.take();
    try {
      const [, ...results] = await stream.run(["begin immediate", ...statements], this.#signal);
      this.#began(stream);
      return results;
    } catch (error) {
      const hasBegun = error instanceof LibsqlBatchError && error.statementIndex > 0;
      if (hasBegun && errorKind(error) === "statement") this.#began(stream);
      else {
        this.#streams.discard(stream);
        if (/^(?:lost|ended)$/.test(errorKind(error))) this.#streams.clearIdle();
      }
      throw withoutFirst(error, 1);
    }
  }

  #began(stream: RemoteStream): void {
    if (this.#ended) return this.#streams.discard(stream);
    this.#stream = stream;
    this.#expireAt(Math.min(this.#until, Date.now() + this.#milliseconds));
  }

  #expireAt(time: number): void {
    clearTimeout(this.#timer);
    const expire = () => this.#expired.reject(kernelErrors.deadline("the write transaction"));
    this.#timer = setTimeout(expire, Math.max(0, time - Date.now()));
  }

  #end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  /**
   * Runs the last statements and COMMIT in one round trip, if the transaction has begun. After an error the transaction
   * is rolled back, unless the error is `kernel.outcome_unknown`.
   */
  async commit(last: InStatement[]): Promise<void> {
    const stream = this.#stream;
    this.#end();
    if (stream === undefined) return;
    try {
      await withDeadline(stream.run([...last, "commit"], this.#signal), this.#until, "COMMIT");
      this.#streams.release(stream);
    } catch (error) {
      // the server rolls back what the stream has not committed
      this.#streams.discard(stream);
      this.#wasEndedByServer = errorKind(error) === "ended";
      throw commitError(error);
    }
  }

  /** Rolls back. Resolves when the server has responded or the time limit is over. */
  async rollback(): Promise<void> {
    const stream = this.#ended ? undefined : this.#stream;
    this.#end();
    if (stream === undefined) return;
    const signal = AbortSignal.timeout(ROLLBACK_TIME);
    try {
      await withDeadline(stream.run(["rollback"], signal), Date.now() + ROLLBACK_TIME, "ROLLBACK");
      this.#streams.release(stream);
    } catch {
      this.#streams.discard(stream);
    }
  }
}

/** Only a response of the server proves that COMMIT was not executed. */
function commitError(error: unknown): unknown {
  const hasResponse = errorKind(error) !== "lost" && !(error instanceof RpcError);
  return hasResponse ? toEngineError(error) : kernelErrors.outcome_unknown(UNKNOWN);
}
