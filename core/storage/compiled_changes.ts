import type { SqlStatement } from "./engine.ts";

/** Matches changes other than inserts of values. */
const CHANGES = /^\s*(?:(?:update|delete|replace|with)\b|insert\b[^]*\b(?:select|with)\b)/i;

/** The changes that plugins compile in their setup and that may visit many rows, so that the start can check them. */
export class CompiledChanges {
  #statements: Set<SqlStatement> | undefined = new Set();

  /** Adds a statement. After `take` it does nothing: engines check what is compiled later when it runs. */
  readonly add = (statement: SqlStatement): void => {
    if (CHANGES.test(statement.sql)) this.#statements?.add(statement);
  };

  take(): Iterable<SqlStatement> {
    const statements = this.#statements ?? [];
    this.#statements = undefined;
    return statements;
  }
}
