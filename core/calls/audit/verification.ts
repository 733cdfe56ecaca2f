import type { Call } from "../../base/call.ts";
import { nextTurn } from "../../base/turn.ts";
import type { Db } from "../../storage/database.ts";
import type { KernelTables } from "../../storage/kernel_tables.ts";
import { type AuditRow, chainHash, ERASED_OBJECTS, type Head } from "./chain.ts";
import type { ChainedRecords } from "./chained_records.ts";

const PAGE_SIZE = 250;
const NOTED = "audit_head";
/** The maximum number of errors that are reported. */
const MAX_ERRORS = 20;

/** The result of a verification. */
export interface Verification {
  /** The number of records that were read. */
  readonly records: number;
  /** The number of records whose content was deleted by an operation. */
  readonly erased: number;
  readonly head: Head;
  /** The first errors of the chain; empty if it is whole. */
  readonly errors: readonly string[];
}

/** Verifies the chain of the audit log, and notes its head. */
export class AuditVerification {
  readonly #records: ChainedRecords;
  readonly #page;
  readonly #noted;
  readonly #note;

  constructor(db: Db<KernelTables>, records: ChainedRecords) {
    this.#records = records;
    this.#page = db.query((q, p: { after: bigint }) =>
      q.selectFrom("kernel_audit").selectAll().where("id", ">", p.after).orderBy("id").limit(PAGE_SIZE)
    );
    this.#noted = db.query((q) => q.selectFrom("kernel_settings").select("value").where("name", "=", NOTED));
    this.#note = db.query((q, p: { value: string }) =>
      q.insertInto("kernel_settings").values({ name: NOTED, value: p.value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: p.value }))
    );
  }

  /** Returns the head, after it is stored for later verifications. */
  async note(call: Call): Promise<Head> {
    return await call.transact(async (inner) => {
      const head = await this.#records.head(inner);
      await this.#note.run(inner, { value: headText(head) });
      return head;
    });
  }

  /**
   * Reads every record.
   *
   * @param known a head that was noted outside the database, such as in a log
   */
  async verify(call: Call, known?: Head): Promise<Verification> {
    for (;;) {
      const anchor = await this.#records.anchor(call);
      const result = await this.#verifyAfter(anchor, call, known);
      // Records that expired while the others were read are not missing.
      if (result.errors.length === 0 || (await this.#records.anchor(call)).id === anchor.id) return result;
    }
  }

  async #verifyAfter(anchor: Head, call: Call, known?: Head): Promise<Verification> {
    const { value } = await this.#noted.first(call, {}) ?? {};
    const noted = [known, value === undefined ? undefined : headOf(value)]
      .filter((head): head is Head => head !== undefined && head.id > anchor.id);
    const walk = new ChainWalk(anchor, noted);
    for (let last = 0n;;) {
      const page = await this.#page.all(call, { after: last });
      for (const row of page) walk.visit(row);
      if (page.length < PAGE_SIZE) return walk.end();
      last = page.at(-1)!.id;
      await nextTurn();
    }
  }
}

/** The state of a verification that goes from record to record. */
class ChainWalk {
  readonly #anchor: Head;
  readonly #noted: Map<bigint, string>;
  readonly #errors: string[] = [];
  readonly #erased = new Set<bigint>();
  #head: Head;
  #count = 0;
  #erasures = 0;

  constructor(anchor: Head, noted: readonly Head[]) {
    this.#anchor = anchor;
    this.#head = anchor;
    this.#noted = new Map(noted.map(({ id, hash }) => [id, hash]));
    const [first, second] = noted;
    if (first !== undefined && second?.id === first.id && second.hash !== first.hash) {
      this.#error(`record ${first.id} was noted with another hash than the given one`);
    }
  }

  visit(row: AuditRow): void {
    this.#count++;
    // A record of a release without a chain.
    if (row.id <= this.#anchor.id) return;
    const expected = this.#head.id + 1n;
    if (row.id !== expected) {
      const missing = row.id - 1n === expected ? `record ${expected} is` : `records ${expected} to ${row.id - 1n} are`;
      this.#error(`${missing} missing`);
    } else if (row.erasedAt !== 0n) {
      this.#erasures++;
      this.#erased.add(row.id);
    } else if (chainHash(this.#head.hash, row) !== row.hash) this.#error(`record ${row.id} was changed`);
    for (const id of erasedBy(row)) this.#erased.delete(id);
    const noted = this.#noted.get(row.id);
    if (noted !== undefined && noted !== row.hash) {
      this.#error(`record ${row.id} is another than the one that was noted`);
    }
    this.#noted.delete(row.id);
    this.#head = row;
  }

  end(): Verification {
    for (const id of this.#noted.keys()) {
      this.#error(`record ${id} was noted, but the chain ends before it or lacks it`);
    }
    for (const id of this.#erased) this.#error(`the content of record ${id} was deleted without a record`);
    const { id, hash } = this.#head;
    return { records: this.#count, erased: this.#erasures, head: { id, hash }, errors: this.#errors };
  }

  #error(text: string): void {
    if (this.#errors.length < MAX_ERRORS) this.#errors.push(text);
  }
}

/** Returns the ids of the records whose content a record says was deleted. */
function erasedBy({ objects, changesJSON }: AuditRow): bigint[] {
  if (objects !== ERASED_OBJECTS || changesJSON === "") return [];
  try {
    const { erased } = JSON.parse(changesJSON) as { erased?: unknown };
    return Array.isArray(erased) ? erased.map((id) => BigInt(id)) : [];
  } catch {
    return [];
  }
}

/** Returns a head as text, as it is in the log: `<id>:<hash>`. */
export function headText({ id, hash }: Head): string {
  return `${id}:${hash}`;
}

/** Reads a head; undefined if the text is none. */
export function headOf(text: string): Head | undefined {
  const [, id, hash] = /^(\d{1,18}):([0-9a-f]{64}|)$/.exec(text) ?? [];
  return id === undefined || hash === undefined ? undefined : { id: BigInt(id), hash };
}
