import type { InStatement, ResultSet } from "@libsql/client/web";
import { RpcError } from "../../base/errors.ts";
import type { SqlResult, SqlStatement, SqlValue } from "../engine.ts";
import { SqlError } from "../sql_error.ts";
import { untilAnswered } from "./deadline.ts";
import { answered, faultError, faultKind, isResponseTooLarge } from "./faults.ts";
import type { Question } from "./read_prefetcher.ts";
import { RemoteGuard } from "./guard.ts";
import { readInPieces } from "./pieces.ts";
import type { ReadReplica } from "./replica.ts";
import type { Streams } from "./streams.ts";
import type { Release, Semaphore } from "../../base/semaphore.ts";
import { request, resultOf } from "./values.ts";

type Take = (until: number) => Promise<Release>;

/** What reads need of their engine. */
export interface ReadDeps {
  readonly streams: Streams;
  /** How many may be on their way at once. */
  readonly permits: Semaphore;
  readonly guard: RemoteGuard;
  readonly requireOpen: () => void;
  /** Told of what goes on, perhaps after the call that began it has ended. */
  readonly background: (work: Promise<unknown>) => void;
}

/** Reads of a remote database. The times are unix milliseconds, when nobody waits any more. */
export class RemoteReads {
  readonly #deps: ReadDeps;
  readonly #take: Take;

  constructor(deps: ReadDeps) {
    this.#deps = deps;
    this.#take = (until) => deps.permits.acquire(until);
  }

  /**
   * One statement.
   *
   * @param take waits for a turn of its kind
   */
  async one(
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    until: number,
    take: Take = this.#take,
  ): Promise<SqlResult> {
    const sent = await this.#request(statement, parameters);
    return await this.#inTurn(take, until, async () => {
      try {
        const [result] = await untilAnswered(until, (signal) => this.#deps.streams.run([sent], signal));
        return resultOf(result!);
      } catch (error) {
        if (isResponseTooLarge(error)) return await answered(readInPieces(this.#deps.streams, sent, until));
        throw faultError(error);
      }
    });
  }

  /** One round trip, and one state of the database, for all; each by itself, if one of them is refused. */
  together(questions: readonly Question[], until: number): readonly Promise<SqlResult>[] {
    const alone = ({ statement, parameters }: Question) => this.one(statement, parameters, until);
    if (questions.length === 1) return questions.map(alone);
    const together = this.#batch(questions, until);
    return questions.map(async (question, index) => {
      const results = await together;
      return results === undefined ? await alone(question) : resultOf(results[index]!);
    });
  }

  /** From the replica, or from the database itself when the replica cannot say. */
  nearby(replica: ReadReplica, questions: readonly Question[], until: number): readonly Promise<SqlResult>[] {
    const read = this.#fromReplica(replica, questions);
    let asked: readonly Promise<SqlResult>[] | undefined;
    return questions.map(async (_question, index) => {
      const results = await read;
      if (results !== undefined) return results[index]!;
      asked ??= this.together(questions, until);
      return await asked[index]!;
    });
  }

  /** Reads one state of the database; throws what the client threw. */
  async snapshot(statements: readonly InStatement[], until: number): Promise<ResultSet[]> {
    const whole = ["begin transaction readonly", ...statements, "commit"];
    const results = await untilAnswered(until, (signal) => this.#deps.streams.run(whole, signal));
    return results.slice(1, -1);
  }

  async #fromReplica(replica: ReadReplica, questions: readonly Question[]) {
    const requests = questions.map(({ statement, parameters }) => this.#request(statement, parameters));
    // what the guard refuses it refuses again, to who asked it
    const isSound = await Promise.all(requests).then(() => true, () => false);
    return isSound ? await replica.read(questions) : undefined;
  }

  /** Nothing, when one of them is at fault. */
  async #batch(questions: readonly Question[], until: number): Promise<ResultSet[] | undefined> {
    const requests = questions.map(({ statement, parameters }) => this.#request(statement, parameters));
    const sent = await Promise.all(requests).catch(() => undefined);
    if (sent === undefined) return undefined;
    return await this.#inTurn(this.#take, until, async () => {
      try {
        return await this.snapshot(sent, until);
      } catch (error) {
        if (error instanceof RpcError || faultKind(error) !== "statement") throw faultError(error);
        return undefined;
      }
    });
  }

  /** The call that wants it may end before, when something else of it fails: the turn must be given back all the same. */
  #inTurn<Result>(take: Take, until: number, work: () => Promise<Result>): Promise<Result> {
    const inTurn = async (): Promise<Result> => {
      const release = await take(until);
      try {
        return await work();
      } finally {
        release();
      }
    };
    const running = inTurn();
    this.#deps.background(running);
    return running;
  }

  async #request(statement: SqlStatement, parameters: readonly SqlValue[]): Promise<InStatement> {
    this.#deps.requireOpen();
    const checking = this.#deps.guard.check(statement);
    const { parameterCount, writes } = checking instanceof Promise ? await checking : checking;
    if (writes) throw new SqlError("SQLITE_READONLY", "attempt to write a readonly database");
    return request(statement, parameters, parameterCount);
  }
}
