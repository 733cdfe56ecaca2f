import type { Client, InStatement, ResultSet, Transaction } from "@libsql/client/web";
import { kernelErrors, RpcError } from "../../errors.ts";
import { beforeDeadline, untilAnswered } from "./deadline.ts";
import { faultError, faultKind } from "./faults.ts";

const UNKNOWN = "the answer to COMMIT was lost, so the outcome is unknown: look whether the change is there before " +
  "trying again, or send an Idempotency-Key with the first try";
/** Milliseconds that the end of a transaction waits for the server to say that it is undone. */
export const ROLLBACK_TIME = 2000;

/** One interactive write transaction. It begins with its first statements, in one round trip. */
export class RemoteTransaction {
  readonly #client: Client;
  readonly #until: number;
  readonly #milliseconds: number;
  readonly #expired = Promise.withResolvers<never>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #transaction: Transaction | undefined;
  #ended = false;
  #wasEndedByServer = false;

  /**
   * @param until unix milliseconds, when nobody waits for it any more
   * @param milliseconds how long it may last from BEGIN
   */
  constructor(client: Client, until: number, milliseconds: number) {
    this.#client = client;
    this.#until = until;
    this.#milliseconds = milliseconds;
    this.#expired.promise.catch(() => undefined);
  }

  get hasBegun(): boolean {
    return this.#transaction !== undefined;
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
      if (this.#transaction !== undefined) return await this.#transaction.batch(statements);
      // nothing is durable before COMMIT, so that a beginning whose answer is lost can be made again
      return await untilAnswered(this.#until, () => this.#begin(statements));
    } catch (error) {
      this.#wasEndedByServer ||= /^(?:busy|ended)$/.test(faultKind(error));
      throw error;
    }
  }

  async #begin(statements: InStatement[]): Promise<ResultSet[]> {
    const transaction = await this.#client.transaction("write");
    try {
      const results = await transaction.batch(statements);
      this.#began(transaction);
      return results;
    } catch (error) {
      // closed, if BEGIN failed; open, if a statement did that came with it
      if (faultKind(error) === "statement" && !transaction.closed) this.#began(transaction);
      else transaction.close();
      throw error;
    }
  }

  #began(transaction: Transaction): void {
    if (this.#ended) return transaction.close();
    this.#transaction = transaction;
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
    const transaction = this.#transaction;
    this.#end();
    if (transaction === undefined) return;
    try {
      const answer = last.length === 0 ? transaction.commit() : commitAfter(transaction, last);
      await beforeDeadline(answer, this.#until, "COMMIT");
    } catch (error) {
      this.#wasEndedByServer = faultKind(error) === "ended";
      throw commitError(error);
    } finally {
      // the server forgets the stream, and undoes what it holds that is not committed
      transaction.close();
    }
  }

  /** Undoes everything; resolves when the server has said so, or does not answer. */
  async rollback(): Promise<void> {
    const isOpen = !this.#ended && this.#transaction !== undefined;
    this.#end();
    if (!isOpen) return;
    await beforeDeadline(this.#transaction!.rollback(), Date.now() + ROLLBACK_TIME, "ROLLBACK").catch(() => undefined);
  }
}

/**
 * COMMIT only if the statements before it succeed, and the end of the stream, in one request: commit() would not wait
 * for them, and a batch leaves the stream open. If the two were sent apart, the first would be refused, not lost.
 */
async function commitAfter(transaction: Transaction, last: InStatement[]): Promise<void> {
  const answer = transaction.batch([...last, "commit"]);
  // by then the client has put the batch in its line
  await Promise.resolve();
  // after COMMIT there is nothing to undo, which the server reports as a fault
  transaction.rollback().catch(() => undefined);
  await answer;
}

/** Only an answer of the server proves that COMMIT was not done. */
function commitError(error: unknown): unknown {
  const wasAnswered = faultKind(error) !== "lost" && !(error instanceof RpcError);
  return wasAnswered ? faultError(error) : kernelErrors.outcome_unknown(UNKNOWN);
}
