import type { Call } from "../../base/call.ts";
import type { Db } from "../../storage/database.ts";
import { kernelCall } from "../../storage/kernel_call.ts";
import { KERNEL_SCOPE, type KernelTables } from "../../storage/kernel_tables.ts";
import type { Session, SqlResult, SqlStatement } from "../../storage/engine.ts";
import { type AuditRow, chainHash, type Head } from "./chain.ts";

/** A record before it has a place in the chain. */
export type NewRecord = Omit<AuditRow, "id" | "hash" | "erasedAt">;

const ANCHOR = "audit_anchor";
const COLUMNS = [
  ...["id", "createdAt", "requestId", "callerRequestId", "role", "callerId", "keyId", "address", "operation"] as const,
  ...["objects", "changesJSON", "code", "reason", "count", "hash"] as const,
];
// Statements of which more is needed than a query returns.
const INSERT_NEXT = insertNext((column) => column !== "id");
/** Columns with the values that most records have, which are the defaults of the table: a bound value takes time. */
const USUAL: Partial<NewRecord> = { callerRequestId: "", code: 200n, reason: "", count: 1n };
const INSERT_USUAL = insertNext((column) => column !== "id" && !(column in USUAL));
const NEWEST: SqlStatement = {
  sql: "select id, hash from kernel_audit order by id desc limit 1",
  scope: KERNEL_SCOPE,
};

/** Appends records to the chain, in the transaction of a call. */
export class ChainedRecords {
  readonly #isShared: boolean;
  readonly #newest;
  readonly #anchor;
  readonly #setAnchor;
  readonly #insert;
  readonly #delete;
  /** The head after the last record of this process. Rolled back records make it wrong; SQLite then gives another id. */
  #head: Head | undefined;
  /** On a shared database: the head as the transaction of a session read it, and after its own records. */
  readonly #heads = new WeakMap<Session, Head | Promise<SqlResult | undefined>>();

  /** @param isShared true if other processes write to the database */
  constructor(db: Db<KernelTables>, isShared: boolean) {
    this.#isShared = isShared;
    this.#newest = db.query((q) => q.selectFrom("kernel_audit").select(["id", "hash"]).orderBy("id", "desc").limit(1));
    this.#anchor = db.query((q) => q.selectFrom("kernel_settings").select("value").where("name", "=", ANCHOR));
    this.#setAnchor = db.query((q, p: { value: string }) =>
      q.insertInto("kernel_settings").values({ name: ANCHOR, value: p.value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: p.value }))
    );
    this.#insert = db.query((q, p: Omit<AuditRow, "erasedAt">) => q.insertInto("kernel_audit").values(valuesOf(p)));
    this.#delete = db.query((q, p: { id: bigint }) => q.deleteFrom("kernel_audit").where("id", "=", p.id));
  }

  /** Lets the head be read together with the first statement of a transaction, where that saves a round trip. */
  begin(call: Call): void {
    const { session } = kernelCall(call);
    if (session.ahead === undefined) return;
    this.#heads.set(session, session.ahead(NEWEST, []));
  }

  /** Writes a record after the last one. */
  async append(call: Call, record: NewRecord): Promise<void> {
    if (this.#isShared) return await this.#appendShared(call, record);
    if (this.#head !== undefined) {
      const row = after(this.#head, record);
      const { session, deadline } = kernelCall(call);
      const { statement, columns } = isUsual(record) ? INSERT_USUAL : INSERT_NEXT;
      const running = session.run(statement, columns.map((column) => row[column]), deadline);
      const { lastId: id } = running instanceof Promise ? await running : running;
      if (id === row.id) {
        this.#head = row;
        return;
      }
      await this.#delete.run(call, { id: id! });
    }
    const row = after(await this.head(call), record);
    await this.#insert.run(call, row);
    this.#head = row;
  }

  async #appendShared(call: Call, record: NewRecord): Promise<void> {
    const { session } = kernelCall(call);
    const row = after(await this.#sharedHead(call, session), record);
    await this.#insert.defer(call, row);
    this.#heads.set(session, row);
  }

  async #sharedHead(call: Call, session: Session): Promise<Head> {
    const known = this.#heads.get(session);
    if (known instanceof Promise) {
      await session.flush?.();
      const result = await known;
      const [row] = result?.rows ?? [];
      if (row !== undefined) return { id: row[0] as bigint, hash: row[1] as string };
    } else if (known !== undefined) return known;
    return await this.head(call);
  }

  /** Returns the id and the hash of the last record, or of the last one that was deleted for its age. */
  async head(call: Call): Promise<Head> {
    return await this.#newest.first(call, {}) ?? await this.anchor(call);
  }

  /** Returns the last record before those that exist: it expired, or is of a release without a chain. */
  async anchor(call: Call): Promise<Head> {
    const { value } = await this.#anchor.first(call, {}) ?? {};
    if (value === undefined) return { id: 0n, hash: "" };
    const { id, hash } = JSON.parse(value) as { id: string; hash: string };
    return { id: BigInt(id), hash };
  }

  async setAnchor(call: Call, { id, hash }: Head): Promise<void> {
    await this.#setAnchor.run(call, { value: JSON.stringify({ id: String(id), hash }) });
  }
}

function insertNext(isBound: (column: string) => boolean) {
  const columns = COLUMNS.filter(isBound);
  const sql = `insert into kernel_audit (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`;
  return { columns, statement: { sql, scope: KERNEL_SCOPE } satisfies SqlStatement };
}

function isUsual({ callerRequestId, code, reason, count }: NewRecord): boolean {
  return callerRequestId === USUAL.callerRequestId && code === USUAL.code && reason === USUAL.reason &&
    count === USUAL.count;
}

function valuesOf(p: Omit<AuditRow, "erasedAt">) {
  return Object.fromEntries(COLUMNS.map((column) => [column, p[column]])) as unknown as typeof p;
}

function after(head: Head, record: NewRecord): Omit<AuditRow, "erasedAt"> {
  const row = { ...record, id: head.id + 1n, hash: "" };
  row.hash = chainHash(head.hash, row);
  return row;
}
