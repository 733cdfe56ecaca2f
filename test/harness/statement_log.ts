import type { Session, SqlStatement, SqlValue, StorageEngine } from "../../core/storage/engine.ts";

/** A statement that a plugin ran. */
export interface LoggedStatement {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/** Wraps an engine and calls `onStatement` for each statement of one plugin. */
export function withStatementLog(
  engine: StorageEngine,
  owner: string,
  onStatement: (statement: LoggedStatement) => void,
): StorageEngine {
  const record = ({ sql, scope }: SqlStatement, parameters: readonly SqlValue[] = []) => {
    if (scope.owner === owner) onStatement({ sql, parameters });
  };
  const loggedSession = (session: Session): Session =>
    new Proxy(session, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        if (name !== "run" && name !== "defer") return member.bind(target);
        return (statement: SqlStatement, parameters: readonly SqlValue[], ...rest: unknown[]) => {
          record(statement, parameters);
          return member.call(target, statement, parameters, ...rest);
        };
      },
    });
  return new Proxy(engine, {
    get(target, name) {
      if (name === "reader") return loggedSession(target.reader);
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      if (name === "write") {
        return (work: (session: Session) => unknown) =>
          member.call(target, (session: Session) => work(loggedSession(session)));
      }
      if (name === "scan") {
        return (statement: SqlStatement, parameters: readonly SqlValue[], deadline: number) => {
          record(statement, parameters);
          return member.call(target, statement, parameters, deadline);
        };
      }
      return member.bind(target);
    },
  });
}

const UNRESTRICTED_SCOPE = { owner: "test", tables: undefined };

/** Returns the query plans of statements, a line for each step. */
export async function plansOf(engine: StorageEngine, statements: readonly LoggedStatement[]): Promise<string[]> {
  const plans: string[] = [];
  for (const { sql, parameters } of statements) {
    const { rows } = await engine.reader.run(
      { sql: `explain query plan ${sql}`, scope: UNRESTRICTED_SCOPE },
      parameters,
    );
    plans.push(...rows.map((row) => String(row[3])));
  }
  return plans;
}
