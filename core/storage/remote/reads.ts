import type { InStatement, ResultSet } from "@libsql/client/web";
import { RpcError } from "../../base/errors.ts";
import type { Release, Semaphore } from "../../base/semaphore.ts";
import type { SqlResult, SqlStatement, SqlValue } from "../engine.ts";
import { SqlError } from "../sql_error.ts";
import { readInChunks } from "./chunked_read.ts";
import { withRetries } from "./deadline.ts";
import { errorKind, isResponseTooLarge, toEngineError, translateErrors } from "./errors.ts";
import { RemoteGuard } from "./guard.ts";
import type { ReadRequest } from "./read_prefetcher.ts";
import type { ReadReplica } from "./replica.ts";
import type { Streams } from "./streams.ts";
import { resultOf, toInStatement } from "./values.ts";

type Acquire = (until: number) => Promise<Release>;

export interface ReadDeps {
  readonly streams: Streams;
  /** Limits the number of concurrent reads. */
  readonly permits: Semaphore;
  readonly guard: RemoteGuard;
  readonly requireOpen: () => void;
  /** Called with work that may continue after the call that started it has ended. */
  readonly background: (work: Promise<unknown>) => void;
}

/** The reads of a remote database. Deadlines (`until`) are in unix milliseconds. */
export class RemoteReads {
  readonly #deps: ReadDeps;
  readonly #acquire: Acquire;

  constructor(deps: ReadDeps) {
    this.#deps = deps;
    this.#acquire = (until) => deps.permits.acquire(until);
  }

  /**
   * Runs one statement.
   *
   * @param acquire waits for a permit to run it
   */
  async single(
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    until: number,
    acquire: Acquire = this.#acquire,
  ): Promise<SqlResult> {
    const prepared = await this.#prepare(statement, parameters);
    return await this.#withPermit(acquire, until, async () => {
      try {
        const [result] = await withRetries(until, (signal) => this.#deps.streams.run([prepared], signal));
        return resultOf(result!);
      } catch (error) {
        if (isResponseTooLarge(error)) return await translateErrors(readInChunks(this.#deps.streams, prepared, until));
        throw toEngineError(error);
      }
    });
  }

  /** Runs all requests in one round trip, on one state of the database. If any of them fails, runs each separately. */
  batch(requests: readonly ReadRequest[], until: number): readonly Promise<SqlResult>[] {
    const single = ({ statement, parameters }: ReadRequest) => this.single(statement, parameters, until);
    if (requests.length === 1) return requests.map(single);
    const batch = this.#tryBatch(requests, until);
    return requests.map(async (request, index) => {
      const results = await batch;
      return results === undefined ? await single(request) : resultOf(results[index]!);
    });
  }

  /** Reads from the replica, or from the database if the replica cannot serve the requests. */
  fromReplica(replica: ReadReplica, requests: readonly ReadRequest[], until: number): readonly Promise<SqlResult>[] {
    const read = this.#tryReplica(replica, requests);
    let fallback: readonly Promise<SqlResult>[] | undefined;
    return requests.map(async (_request, index) => {
      const results = await read;
      if (results !== undefined) return results[index]!;
      fallback ??= this.batch(requests, until);
      return await fallback[index]!;
    });
  }

  /** Runs statements on one state of the database. Throws the errors of the client. */
  async snapshot(statements: readonly InStatement[], until: number): Promise<ResultSet[]> {
    const transaction = ["begin transaction readonly", ...statements, "commit"];
    const results = await withRetries(until, (signal) => this.#deps.streams.run(transaction, signal));
    return results.slice(1, -1);
  }

  async #tryReplica(replica: ReadReplica, requests: readonly ReadRequest[]) {
    const preparing = requests.map(({ statement, parameters }) => this.#prepare(statement, parameters));
    // the fallback reports the error of a refused statement to its caller
    const areAllowed = await Promise.all(preparing).then(() => true, () => false);
    return areAllowed ? await replica.read(requests) : undefined;
  }

  /** Returns undefined if a statement of the batch fails. */
  async #tryBatch(requests: readonly ReadRequest[], until: number): Promise<ResultSet[] | undefined> {
    const preparing = requests.map(({ statement, parameters }) => this.#prepare(statement, parameters));
    const prepared = await Promise.all(preparing).catch(() => undefined);
    if (prepared === undefined) return undefined;
    return await this.#withPermit(this.#acquire, until, async () => {
      try {
        return await this.snapshot(prepared, until);
      } catch (error) {
        if (error instanceof RpcError || errorKind(error) !== "statement") throw toEngineError(error);
        return undefined;
      }
    });
  }

  /** Runs `work` with a permit. The permit is released in the background even if the call ends before the work. */
  #withPermit<Result>(acquire: Acquire, until: number, work: () => Promise<Result>): Promise<Result> {
    const run = async (): Promise<Result> => {
      const release = await acquire(until);
      try {
        return await work();
      } finally {
        release();
      }
    };
    const running = run();
    this.#deps.background(running);
    return running;
  }

  async #prepare(statement: SqlStatement, parameters: readonly SqlValue[]): Promise<InStatement> {
    this.#deps.requireOpen();
    const checking = this.#deps.guard.check(statement);
    const { parameterCount, writes } = checking instanceof Promise ? await checking : checking;
    if (writes) throw new SqlError("SQLITE_READONLY", "attempt to write a readonly database");
    return toInStatement(statement, parameters, parameterCount);
  }
}
