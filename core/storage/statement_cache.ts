import type { SqlStatement, TableScope } from "./engine.ts";

const MAX_STATEMENTS = 500;

/** The statements of one scope by their text; the least recently used makes room. */
export class StatementCache {
  readonly #scope: TableScope;
  readonly #statements = new Map<string, SqlStatement>();

  constructor(scope: TableScope) {
    this.#scope = scope;
  }

  get(sql: string): SqlStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) {
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
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
