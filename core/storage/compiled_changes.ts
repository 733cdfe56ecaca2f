import type { SqlStatement } from "./engine.ts";

const CHANGES = /^\s*(?:(?:insert|update|delete|replace)\b[^]*\bwith\b|with\b)/i;

/** The changes with a common table expression that plugins compile in their setup, so that the start can check them. */
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
