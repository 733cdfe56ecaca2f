import type { Client, InStatement, InValue } from "@libsql/client/web";
import { bindable } from "../../../../core/storage/bind.ts";
import type { Session, SqlStatement, SqlValue } from "../../../../core/storage/engine.ts";
import type { RemoteEngine } from "../../../../core/storage/remote/engine.ts";

/** The statements of one call, turn by turn; in a write, the last turn goes with COMMIT. */
export interface Recorded {
  readonly turns: readonly (readonly InStatement[])[];
  readonly isWrite: boolean;
}

/** Runs a call and writes down its statements; what the kernel asks once a second for all calls is not among them. */
export async function recorded(engine: RemoteEngine, call: () => Promise<unknown>): Promise<Recorded> {
  const turns: InStatement[][] = [];
  let turn: InStatement[] | undefined;
  let deferred: InStatement[] = [];
  let isWrite = false;
  function note(statement: SqlStatement, parameters: readonly SqlValue[]): void {
    if (turn === undefined) {
      turns.push(turn = deferred);
      deferred = [];
      queueMicrotask(() => turn = undefined);
    }
    turn.push(inStatement(statement, parameters));
  }
  const [beginReads, write] = [engine.beginReads.bind(engine), engine.write.bind(engine)];
  engine.beginReads = (mayBeOlder) => {
    const reads = beginReads(mayBeOlder);
    return { ...noting(reads, note), end: () => reads.end() };
  };
  engine.write = (work, deadline) => {
    isWrite = true;
    const later = (statement: SqlStatement, parameters: readonly SqlValue[]) =>
      void deferred.push(inStatement(statement, parameters));
    return write((session) => work(noting(session, note, later)), deadline);
  };
  try {
    await call();
  } finally {
    Object.assign(engine, { beginReads, write });
  }
  if (deferred.length > 0) turns.push(deferred);
  return { turns, isWrite };
}

type Note = (statement: SqlStatement, parameters: readonly SqlValue[]) => void;

function noting(session: Session, note: Note, later?: Note): Session {
  const { writable } = session;
  return {
    writable,
    run(statement, parameters, deadline) {
      note(statement, parameters);
      return session.run(statement, parameters, deadline);
    },
    ...(later !== undefined && {
      defer(statement, parameters) {
        later(statement, parameters);
        session.defer!(statement, parameters);
      },
    }),
  };
}

function inStatement({ sql }: SqlStatement, parameters: readonly SqlValue[]): InStatement {
  return { sql, args: bindable(parameters) as InValue[] };
}

/**
 * The same statements as the client's user would write them: all reads in one batch, as if their values were known
 * beforehand; writes in one interactive transaction, turn by turn.
 */
export async function replay(client: Client, { turns, isWrite }: Recorded): Promise<void> {
  if (!isWrite) {
    const statements = turns.flat();
    await (statements.length === 1 ? client.execute(statements[0]!) : client.batch(statements, "read"));
    return;
  }
  const transaction = await client.transaction("write");
  try {
    for (const turn of turns) await (turn.length === 1 ? transaction.execute(turn[0]!) : transaction.batch([...turn]));
    await transaction.commit();
  } finally {
    transaction.close();
  }
}

/** With another text in the place of one that must not come twice. */
export function renamed({ turns, isWrite }: Recorded, name: string, next: string): Recorded {
  const change = (value: InValue) => typeof value === "string" ? value.replaceAll(name, next) : value;
  const statements = turns as readonly (readonly { sql: string; args: InValue[] }[])[];
  return { isWrite, turns: statements.map((turn) => turn.map(({ sql, args }) => ({ sql, args: args.map(change) }))) };
}
