import type { ReadSession, SqlResult, SqlStatement, SqlValue } from "../engine.ts";
import type { Question, ReadPrefetcher } from "./read_prefetcher.ts";

/** Asks all of these in one round trip, if the server can answer them so. */
export type AskTogether = (questions: readonly Question[], deadline?: number) => readonly Promise<SqlResult>[];

interface Waiting {
  readonly question: Question;
  readonly resolve: (result: Promise<SqlResult>) => void;
}

/** The reads of one call. What is asked in one turn shares a round trip, and so does what followed it last time. */
export class RemoteReadSession implements ReadSession {
  readonly writable = false;
  readonly #ask: AskTogether;
  readonly #foresight: ReadPrefetcher;
  /** What the first turn asked. */
  #first: readonly Question[] | undefined;
  /** What later turns asked. */
  readonly #followed: Question[] = [];
  readonly #foreseen = new Map<string, Promise<SqlResult | undefined>>();
  #line: Waiting[] = [];

  constructor(ask: AskTogether, foresight: ReadPrefetcher) {
    this.#ask = ask;
    this.#foresight = foresight;
  }

  run(statement: SqlStatement, parameters: readonly SqlValue[], deadline?: number): Promise<SqlResult> {
    const question = this.#foresight.question(statement, parameters);
    if (this.#first === undefined) return this.#enqueue(question, deadline);
    this.#followed.push(question);
    const foreseen = this.#foreseen.get(question.key);
    if (foreseen === undefined) return this.#enqueue(question, deadline);
    // asked again, it is to be read again
    this.#foreseen.delete(question.key);
    return foreseen.then((result) => result ?? this.#enqueue(question, deadline));
  }

  /** Remembers what this call asked. */
  end(): void {
    if (this.#first !== undefined) this.#foresight.learn(this.#first, this.#followed);
  }

  #enqueue(question: Question, deadline: number | undefined): Promise<SqlResult> {
    return new Promise((resolve) => {
      // what the same turn brings goes along
      if (this.#line.push({ question, resolve }) === 1) queueMicrotask(() => this.#send(deadline));
    });
  }

  #send(deadline: number | undefined): void {
    const line = this.#line;
    this.#line = [];
    const asked = line.map(({ question }) => question);
    const foreseen = this.#first === undefined ? this.#foresight.after(asked) : [];
    this.#first ??= asked;
    const answers = this.#ask([...asked, ...foreseen], deadline);
    for (const [index, { resolve }] of line.entries()) resolve(answers[index]!);
    for (const [index, { key }] of foreseen.entries()) {
      // a guess that fails is no guess
      this.#foreseen.set(key, answers[asked.length + index]!.catch(() => undefined));
    }
  }
}
