import type { Session, SqlResult, SqlRow, SqlStatement, SqlValue } from "./engine.ts";
import { Parameter, toSqlValue } from "./parameters.ts";
import { type Capture, MAX_CAPTURED_ROWS } from "./change_capture.ts";

/** The maximum number of statements of a transaction whose rows are captured. More are counted. */
const MAX_CAPTURED_STATEMENTS = 50;

/** The values of a row by column. */
export type RowValues = Readonly<Record<string, SqlValue>>;

/** The values that a statement gave a column are in `after`, as far as they are known without reading the row. */
export interface RowChange {
  readonly table: string;
  /** The value of the column `id`; undefined if the row has none. */
  readonly id: SqlValue | undefined;
  /** Undefined for a row that is new. */
  readonly before: RowValues | undefined;
  /** Undefined for a row that was deleted. */
  readonly after: RowValues | undefined;
}

/** The rows that a transaction changed. */
export interface CapturedChanges {
  readonly rows: readonly RowChange[];
  /** The number of further changes that were not kept. */
  readonly left: number;
}

/** The value of a column that only SQL computes. */
export const COMPUTED = "(computed)";

interface Entry {
  readonly capture: Capture;
  readonly values: object;
  readonly before: SqlResult | Promise<SqlResult | undefined> | undefined;
  result: SqlResult | undefined;
}

/** The rows that the statements of one transaction changed. */
export class ChangeLog {
  readonly #entries: Entry[] = [];
  #left = 0;

  /** Runs a change, and keeps what its rows were before. */
  run(
    capture: Capture,
    session: Session,
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    values: object,
    deadline?: number,
  ): SqlResult | Promise<SqlResult> {
    const entry = this.#enter(capture, session, values);
    if (entry === undefined) return session.run(statement, parameters, deadline);
    if (capture.returning === undefined) return keep(entry, session.run(statement, parameters, deadline));
    const { returning } = capture;
    return changesOnly(keep(entry, session.run(returning, parameters, deadline)));
  }

  /** Queues a change as {@link Session.defer} does. */
  defer(capture: Capture, session: Session, statement: SqlStatement, parameters: SqlValue[], values: object): void {
    this.#enter(capture, session, values);
    session.defer!(statement, parameters);
  }

  #enter(capture: Capture, session: Session, values: object): Entry | undefined {
    if (this.#entries.length >= MAX_CAPTURED_STATEMENTS) {
      this.#left++;
      return undefined;
    }
    const read = capture.before;
    const parameters = read?.slots.map((slot) => valueOf(slot, values)) ?? [];
    const before = read && (session.ahead?.(read.statement, parameters) ?? session.run(read.statement, parameters));
    const entry: Entry = { capture, values, before, result: undefined };
    this.#entries.push(entry);
    return entry;
  }

  /** Returns the changes in their order, and the number of further ones that were not kept. */
  changes(session: Session): CapturedChanges | Promise<CapturedChanges> {
    const reads = this.#entries.map(({ before }) => before);
    // Only those of a libSQL server are promises.
    return reads.some((read) => read instanceof Promise)
      ? this.#awaited(session, reads)
      : this.#changes(reads as (SqlResult | undefined)[]);
  }

  async #awaited(session: Session, reads: readonly Entry["before"][]): Promise<CapturedChanges> {
    await session.flush?.();
    return this.#changes(await Promise.all(reads));
  }

  #changes(reads: readonly (SqlResult | undefined)[]): CapturedChanges {
    const rows: RowChange[] = [];
    let left = this.#left;
    for (const [index, { capture, values, result }] of this.#entries.entries()) {
      const read = reads[index];
      const before = read?.rows.map((row) => record(read.columns, row)) ?? [];
      if (before.length > MAX_CAPTURED_ROWS) left += Math.max(1, Number(result?.changes ?? 0n) - MAX_CAPTURED_ROWS);
      rows.push(...rowChanges(capture, values, before.slice(0, MAX_CAPTURED_ROWS), result));
    }
    return { rows, left };
  }
}

function keep(entry: Entry, result: SqlResult | Promise<SqlResult>): SqlResult | Promise<SqlResult> {
  if (result instanceof Promise) return result.then((result) => entry.result = result);
  return entry.result = result;
}

/** Returns the result as that of a statement that returns no rows. */
function changesOnly(result: SqlResult | Promise<SqlResult>): SqlResult | Promise<SqlResult> {
  if (result instanceof Promise) return result.then(changesOnly);
  return { columns: [], rows: [], changes: BigInt(result.rows.length) };
}

function valueOf(slot: unknown, values: object): SqlValue {
  return toSqlValue(slot instanceof Parameter ? (values as Record<string, unknown>)[slot.name] : slot);
}

function record(columns: readonly string[], row: SqlRow): RowValues {
  return Object.fromEntries(columns.map((column, index) => [column, row[index]!]));
}

function rowChanges(
  { table, kind, set, returning }: Capture,
  values: object,
  before: readonly RowValues[],
  result: SqlResult | undefined,
): RowChange[] {
  if (kind === "delete") return before.map((row) => ({ table, id: row["id"], before: row, after: undefined }));
  // A statement that failed, or changed nothing, left its rows as they were.
  const isUnchanged = result !== undefined && result.rows.length === 0 && result.changes === 0n;
  if (isUnchanged) return [];
  const setValues: Record<string, SqlValue> = {};
  for (const each of set) setValues[each.column] = "slot" in each ? valueOf(each.slot, values) : COMPUTED;
  if (kind === "insert" && before.length === 0) {
    const [row] = result?.rows ?? [];
    const id = row === undefined ? setValues["id"] : record(result!.columns, row)["id"] ?? setValues["id"];
    return [{ table, id, before: undefined, after: setValues }];
  }
  const after = returning === undefined ? undefined : result?.rows.map((row) => record(result.columns, row));
  return before.map((row, index) => {
    const id = row["id"];
    const returned = after?.find((each) => id !== undefined && each["id"] === id) ?? after?.[index];
    return { table, id, ...difference(row, returned ?? setValues) };
  });
}

/** Returns the columns whose values differ. */
function difference(before: RowValues, after: RowValues): { readonly before: RowValues; readonly after: RowValues } {
  const changed = Object.keys(after).filter((column) => !isSame(before[column], after[column]));
  const pick = (values: RowValues) => Object.fromEntries(changed.map((column) => [column, values[column] ?? null]));
  return { before: pick(before), after: pick(after) };
}

function isSame(one: SqlValue | undefined, other: SqlValue | undefined): boolean {
  if (one === other) return true;
  if (typeof one === "bigint" && typeof other === "number") return Number(one) === other;
  if (typeof one === "number" && typeof other === "bigint") return one === Number(other);
  if (!(one instanceof Uint8Array) || !(other instanceof Uint8Array) || one.length !== other.length) return false;
  return one.every((byte, at) => byte === other[at]);
}
