import { type InStatement, LibsqlBatchError, type ResultSet } from "@libsql/client/web";
import { kernelErrors, RpcError } from "../../base/errors.ts";
import { beforeDeadline, untilAnswered } from "./deadline.ts";
import { faultError, faultKind } from "./faults.ts";
import { type RemoteStream, type Streams, withoutFirst } from "./streams.ts";

const UNKNOWN = "the answer to COMMIT was lost, so the outcome is unknown: look whether the change is there before " +
  "trying again, or send an Idempotency-Key with the first try";
/** Milliseconds that the end of a transaction waits for the server to say that it is undone. */
export const ROLLBACK_TIME = 2000;

/** One interactive write transaction. It begins with its first statements, in one round trip. */
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
   * @param until unix milliseconds, when nobody waits for it any more
   * @param milliseconds how long it may last from BEGIN
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

  /** Whether the server gave another writer the way, and undid this transaction. */
  get wasEndedByServer(): boolean {
    return this.#wasEndedByServer;
  }

  /** Waits for the work of this transaction, no longer than it may last. */
  async within<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#expireAt(this.#until);
    return await Promise.race([work(), this.#expired.promise]);
  }

  /** Runs statements one after another until one fails; throws what the client threw. */
  async run(statements: InStatement[]): Promise<ResultSet[]> {
    try {
      if (this.#stream !== undefined) return await this.#stream.run(statements, this.#signal);
      // nothing is durable before COMMIT, so that a beginning whose answer is lost can be made again
      return await untilAnswered(this.#until, () => this.#begin(statements));
    } catch (error) {
      this.#wasEndedByServer ||= /^(?:busy|ended)$/.test(faultKind(error));
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
      if (hasBegun && faultKind(error) === "statement") this.#began(stream);
      else {
        this.#streams.drop(stream);
        if (/^(?:lost|ended)$/.test(faultKind(error))) this.#streams.forget();
      }
      throw withoutFirst(error, 1);
    }
  }

  #began(stream: RemoteStream): void {
    if (this.#ended) return this.#streams.drop(stream);
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
   * Runs the last statements and COMMIT in one round trip, if anything was done at all. After a failure nothing stays,
   * unless the error says that this is not known.
   */
  async commit(last: InStatement[]): Promise<void> {
    const stream = this.#stream;
    this.#end();
    if (stream === undefined) return;
    try {
      await beforeDeadline(stream.run([...last, "commit"], this.#signal), this.#until, "COMMIT");
      this.#streams.giveBack(stream);
    } catch (error) {
      // the server forgets the stream, and undoes what it holds that is not committed
      this.#streams.drop(stream);
      this.#wasEndedByServer = faultKind(error) === "ended";
      throw commitError(error);
    }
  }

  /** Undoes everything; resolves when the server has said so, or does not answer. */
  async rollback(): Promise<void> {
    const stream = this.#ended ? undefined : this.#stream;
    this.#end();
    if (stream === undefined) return;
    const signal = AbortSignal.timeout(ROLLBACK_TIME);
    try {
      await beforeDeadline(stream.run(["rollback"], signal), Date.now() + ROLLBACK_TIME, "ROLLBACK");
      this.#streams.giveBack(stream);
    } catch {
      this.#streams.drop(stream);
    }
  }
}

/** Only an answer of the server proves that COMMIT was not done. */
function commitError(error: unknown): unknown {
  const wasAnswered = faultKind(error) !== "lost" && !(error instanceof RpcError);
  return wasAnswered ? faultError(error) : kernelErrors.outcome_unknown(UNKNOWN);
}
