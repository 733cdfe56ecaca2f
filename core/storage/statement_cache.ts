import type { SqlStatement, TableScope } from "./engine.ts";

const MAX_STATEMENTS = 500;

/** Caches the statements of one scope by their text, and evicts the least recently used one. */
export class StatementCache {
  readonly #scope: TableScope;
  readonly #statements = new Map<string, SqlStatement>();

  constructor(scope: TableScope) {
    this.#scope = scope;
  }

  get(sql: string): SqlStatement {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) {
      this.#statements.delete(sql);
      this.#statements.set(sql, cached);
      return cached;
    }
    if (this.#statements.size >= MAX_STATEMENTS) {
      const [oldest] = this.#statements.keys();
      this.#statements.delete(oldest!);
    }
    const statement: SqlStatement = { sql, scope: this.#scope };
    this.#statements.set(sql, statement);
    return statement;
  }
}
