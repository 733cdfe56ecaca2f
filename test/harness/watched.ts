import type { Session, SqlStatement, SqlValue, StorageEngine } from "../../core/storage/engine.ts";

/** A statement that a plugin ran. */
export interface Ran {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/** The engine, telling of each statement of one plugin. */
export function watched(engine: StorageEngine, owner: string, tell: (ran: Ran) => void): StorageEngine {
  const note = ({ sql, scope }: SqlStatement, parameters: readonly SqlValue[] = []) => {
    if (scope.owner === owner) tell({ sql, parameters });
  };
  const session = (one: Session): Session =>
    new Proxy(one, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (name !== "run" && name !== "defer" || typeof member !== "function") return member;
        return (statement: SqlStatement, parameters: readonly SqlValue[], ...rest: unknown[]) => {
          note(statement, parameters);
          return member.call(target, statement, parameters, ...rest);
        };
      },
    });
  return new Proxy(engine, {
    get(target, name) {
      if (name === "reader") return session(target.reader);
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      if (name === "write") {
        return (work: (one: Session) => unknown) => member.call(target, (one: Session) => work(session(one)));
      }
      if (name === "scan") {
        return (statement: SqlStatement, parameters: readonly SqlValue[], deadline: number) => {
          note(statement, parameters);
          return member.call(target, statement, parameters, deadline);
        };
      }
      return member.bind(target);
    },
  });
}

const NOBODY = { owner: "test", tables: undefined };

/** The plans of statements, a line for each step. */
export async function plansOf(engine: StorageEngine, ran: readonly Ran[]): Promise<string[]> {
  const plans: string[] = [];
  for (const { sql, parameters } of ran) {
    const { rows } = await engine.reader.run({ sql: `explain query plan ${sql}`, scope: NOBODY }, parameters);
    plans.push(...rows.map((row) => String(row[3])));
  }
  return plans;
}
