import type { Call } from "../../base/call.ts";
import type { Db } from "../../storage/database.ts";
import { kernelCall } from "../../storage/kernel_call.ts";
import { KERNEL_SCOPE, type KernelTables } from "../../storage/kernel_tables.ts";
import { bindable } from "../../storage/bind.ts";
import type { Session, SqlResult, SqlStatement, SqlValue } from "../../storage/engine.ts";
import { type AuditRow, chainHash, type Head } from "./chain.ts";

/** A record before it has a place in the chain. */
export type NewRecord = Omit<AuditRow, "id" | "hash" | "erasedAt">;

const ANCHOR = "audit_anchor";
const COLUMNS = [
  ...["id", "createdAt", "requestId", "callerRequestId", "role", "callerId", "keyId", "address", "operation"] as const,
  ...["objects", "changesJSON", "code", "reason", "count", "hash"] as const,
];
/** Columns with the values that most records have, which are the defaults of the table: a bound value takes time. */
const USUAL: Partial<NewRecord> = { callerRequestId: "", code: 200n, reason: "", count: 1n };
const USUAL_COLUMNS = COLUMNS.filter((column) => column !== "id" && !(column in USUAL));
// Statements of which more is needed than a query returns.
const INSERT = insert(COLUMNS, 1);
const INSERT_NEXT = insert(COLUMNS.filter((column) => column !== "id"), 1);
/** Several records in one statement take less time than each in its own. */
const INSERTS_USUAL = [16, 4, 1].map((length) => insert(USUAL_COLUMNS, length));
const NEWEST: SqlStatement = {
  sql: "select id, hash from kernel_audit order by id desc limit 1",
  scope: KERNEL_SCOPE,
};
const ANCHORED: SqlStatement = { sql: "select value from kernel_settings where name = ?", scope: KERNEL_SCOPE };
const DELETE: SqlStatement = { sql: "delete from kernel_audit where id = ?", scope: KERNEL_SCOPE };

/** Appends records to the chain, in the transaction of a call or in the commit that it shares with others. */
export class ChainedRecords {
  readonly #newest;
  readonly #anchor;
  readonly #setAnchor;
  readonly #insert;
  /** The head after the last record of this process. Rolled back records make it wrong; SQLite then gives another id. */
  #head: Head | undefined;
  /** The head as the transaction of a session read it, and after its own records, where it shares no commit. */
  readonly #heads = new WeakMap<Session, Head | Promise<SqlResult | undefined>>();

  constructor(db: Db<KernelTables>) {
    this.#newest = db.query((q) => q.selectFrom("kernel_audit").select(["id", "hash"]).orderBy("id", "desc").limit(1));
    this.#anchor = db.query((q) => q.selectFrom("kernel_settings").select("value").where("name", "=", ANCHOR));
    this.#setAnchor = db.query((q, p: { value: string }) =>
      q.insertInto("kernel_settings").values({ name: ANCHOR, value: p.value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: p.value }))
    );
    this.#insert = db.query((q, p: Omit<AuditRow, "erasedAt">) => q.insertInto("kernel_audit").values(valuesOf(p)));
  }

  /** Lets the head be read together with the first statement of a transaction, where that saves a round trip. */
  begin(call: Call): void {
    const { session } = kernelCall(call);
    if (session.ahead === undefined) return;
    this.#heads.set(session, session.ahead(NEWEST, []));
  }

  /** Writes a record after the last one. */
  async append(call: Call, record: NewRecord): Promise<void> {
    const { session } = kernelCall(call);
    if (session.atCommit === undefined) return await this.#appendAlone(call, session, record);
    // A value that cannot be stored must fail this transaction, not those that share its commit.
    bindable(Object.values(record));
    session.atCommit(this.#appendAll, record);
  }

  async #appendAlone(call: Call, session: Session, record: NewRecord): Promise<void> {
    const row = after(await this.#headOf(call, session), record);
    await this.#insert.defer(call, row);
    this.#heads.set(session, row);
  }

  async #headOf(call: Call, session: Session): Promise<Head> {
    const known = this.#heads.get(session);
    if (known instanceof Promise) {
      await session.flush?.();
      const result = await known;
      const [row] = result?.rows ?? [];
      if (row !== undefined) return { id: row[0] as bigint, hash: row[1] as string };
    } else if (known !== undefined) return known;
    return await this.head(call);
  }

  /** Writes the records of transactions that share a commit, which only engines in this process let them do. */
  readonly #appendAll = (session: Session, records: readonly NewRecord[]): void => {
    if (this.#head !== undefined) {
      const rows = chained(this.#head, records);
      const last = insertNext(session, rows);
      this.#head = rows.at(-1)!;
      if (last === this.#head.id) return;
      for (const index of rows.keys()) runNow(session, DELETE, [last - BigInt(index)]);
    }
    const rows = chained(headNow(session), records);
    for (const row of rows) runNow(session, INSERT.statement, COLUMNS.map((column) => row[column]));
    this.#head = rows.at(-1)!;
  };

  /** Returns the id and the hash of the last record, or of the last one that was deleted for its age. */
  async head(call: Call): Promise<Head> {
    return await this.#newest.first(call, {}) ?? await this.anchor(call);
  }

  /** Returns the last record before those that exist: it expired, or is of a release without a chain. */
  async anchor(call: Call): Promise<Head> {
    return anchored((await this.#anchor.first(call, {}))?.value);
  }

  async setAnchor(call: Call, { id, hash }: Head): Promise<void> {
    await this.#setAnchor.run(call, { value: JSON.stringify({ id: String(id), hash }) });
  }
}

type Row = Omit<AuditRow, "erasedAt">;

interface Insert {
  readonly columns: readonly (typeof COLUMNS)[number][];
  /** The number of rows. */
  readonly length: number;
  readonly statement: SqlStatement;
}

function insert(columns: Insert["columns"], length: number): Insert {
  const values = Array.from({ length }, () => `(${columns.map(() => "?").join(", ")})`).join(", ");
  const sql = `insert into kernel_audit (${columns.join(", ")}) values ${values}`;
  return { columns, length, statement: { sql, scope: KERNEL_SCOPE } };
}

/** Inserts rows after the last one, and returns the id that the last of them got. */
function insertNext(session: Session, rows: readonly Row[]): bigint {
  const inserts = rows.every(isUsual) ? INSERTS_USUAL : [INSERT_NEXT];
  let id = 0n;
  for (let index = 0; index < rows.length;) {
    const { columns, length, statement } = inserts.find(({ length }) => length <= rows.length - index)!;
    const values: SqlValue[] = [];
    for (const row of rows.slice(index, index += length)) for (const column of columns) values.push(row[column]);
    id = runNow(session, statement, values).lastId!;
  }
  return id;
}

function isUsual({ callerRequestId, code, reason, count }: NewRecord): boolean {
  return callerRequestId === USUAL.callerRequestId && code === USUAL.code && reason === USUAL.reason &&
    count === USUAL.count;
}

/** Returns the last record as the database has it. */
function headNow(session: Session): Head {
  const [newest] = runNow(session, NEWEST, []).rows;
  if (newest !== undefined) return { id: newest[0] as bigint, hash: newest[1] as string };
  return anchored(runNow(session, ANCHORED, [ANCHOR]).rows[0]?.[0] as string | undefined);
}

function anchored(value: string | undefined): Head {
  if (value === undefined) return { id: 0n, hash: "" };
  const { id, hash } = JSON.parse(value) as { id: string; hash: string };
  return { id: BigInt(id), hash };
}

function runNow(session: Session, statement: SqlStatement, parameters: readonly SqlValue[]): SqlResult {
  return session.run(statement, parameters) as SqlResult;
}

function valuesOf(p: Row) {
  return Object.fromEntries(COLUMNS.map((column) => [column, p[column]])) as unknown as typeof p;
}

function chained(head: Head, records: readonly NewRecord[]): Row[] {
  let last = head;
  return records.map((record) => {
    const row = after(last, record);
    last = row;
    return row;
  });
}

function after(head: Head, record: NewRecord): Row {
  const row = { ...record, id: head.id + 1n, hash: "" };
  row.hash = chainHash(head.hash, row);
  return row;
}
