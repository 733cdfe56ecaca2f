import type { SqlStatement, SqlValue } from "../engine.ts";

/** A statement to read with its values, and a text that only the same question has. */
export interface Question {
  readonly statement: SqlStatement;
  readonly parameters: readonly SqlValue[];
  readonly key: string;
}

/** Calls that are remembered; the one that came least recently makes room. */
const MAX_REMEMBERED = 4096;
/** Characters of the questions of one call that are remembered. */
const MAX_CHARACTERS = 4000;
const NOTHING: readonly Question[] = [];

interface Following {
  readonly questions: readonly Question[];
  /** Whether the same followed twice running. */
  readonly isSteady: boolean;
}

/**
 * Remembers what calls asked after their first turn, so that it can be asked along with it. These are guesses, never
 * answers: what was asked in vain costs the server a statement, and nobody is told anything that was not read just now.
 */
export class ReadPrefetcher {
  /** By the questions of the first turn, with their values. */
  readonly #exact = new Map<string, readonly Question[]>();
  /** By the statements of the first turn alone, for values that have not been seen. */
  readonly #alike = new Map<string, Following>();
  readonly #names = new WeakMap<SqlStatement, string>();
  #named = 0;

  question(statement: SqlStatement, parameters: readonly SqlValue[]): Question {
    let key = this.#nameOf(statement);
    for (const value of parameters) key += typeof value === "string" ? ` ${value.length}:${value}` : ` ${value}`;
    return { statement, parameters, key };
  }

  /** What will probably be asked after these. */
  after(first: readonly Question[]): readonly Question[] {
    const key = keyOf(first);
    const known = this.#exact.get(key);
    if (known !== undefined) {
      touch(this.#exact, key, known);
      return known;
    }
    const alike = this.#alike.get(this.#shapeOf(first));
    return alike?.isSteady === true ? alike.questions : NOTHING;
  }

  /** Takes what was asked after these. */
  learn(first: readonly Question[], followed: readonly Question[]): void {
    const key = keyOf(first);
    if (key.length > MAX_CHARACTERS) return;
    let room = MAX_CHARACTERS;
    const questions = followed.filter((one) => (room -= one.key.length) >= 0);
    touch(this.#exact, key, questions);
    const shape = this.#shapeOf(first);
    const isSteady = keyOf(this.#alike.get(shape)?.questions ?? NOTHING) === keyOf(questions);
    touch(this.#alike, shape, { questions, isSteady });
  }

  #nameOf(statement: SqlStatement): string {
    let name = this.#names.get(statement);
    if (name === undefined) this.#names.set(statement, name = `#${this.#named++}`);
    return name;
  }

  #shapeOf(questions: readonly Question[]): string {
    return questions.map(({ statement }) => this.#nameOf(statement)).join();
  }
}

function keyOf(questions: readonly Question[]): string {
  return questions.length === 1 ? questions[0]!.key : questions.map(({ key }) => key).join("\n");
}

/** Puts an entry last, and drops the first when there are too many. */
function touch<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MAX_REMEMBERED) map.delete(map.keys().next().value!);
}
