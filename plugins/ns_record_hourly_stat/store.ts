import { anyOf, type Call, type Db } from "edgehelm";
import { type Kysely, type Selectable, sql, type SqlBool } from "kysely";

export interface Tables {
  nsRecordHourlyStats: { nsRecordId: bigint; hour: bigint; nsDomainId: bigint } & Figures;
  nsDomainHourlyStats: { nsDomainId: bigint; hour: bigint; questionType: string; responseCode: string } & Figures;
  /** The number of rows of each day in both tables, which triggers count. */
  nsStatDays: { kind: Kind; day: bigint; n: bigint };
  /** The uploads that were stored. */
  nsStatUploads: { nsNodeId: bigint; uploadId: string; createdAt: bigint };
}

interface Figures {
  bytes: bigint;
  countRequests: bigint;
}

export type Kind = "nsRecordHourlyStats" | "nsDomainHourlyStats";
export type RecordRow = Selectable<Tables["nsRecordHourlyStats"]>;
export type DomainRow = Selectable<Tables["nsDomainHourlyStats"]>;

/** A domain, and the first and last hour as YYYYMMDDHH. */
export interface Range {
  readonly nsDomainId: bigint;
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * The maximum of a figure in an upload and in a row: 17 TB of responses to the queries of one type of a domain in an hour.
 * Sums over all rows that an operation reads fit into 64 bits.
 */
export const MAX_FIGURE = 2n ** 44n;

const KEYS = {
  nsRecordHourlyStats: ["nsRecordId", "hour", "nsDomainId"],
  nsDomainHourlyStats: ["nsDomainId", "hour", "questionType", "responseCode"],
} as const;
const FIGURES = ["bytes", "countRequests"] as const;
const TOP_RECORDS = 100;

/** The SQL statements of this plugin. */
export function statStore(db: Db<Tables>) {
  const add = <Table extends Kind>(table: Table) =>
    db.query((q, p: { rows: string }) =>
      q.insertInto(table as Kind).columns([...KEYS[table], ...FIGURES] as never)
        .expression((e) => items(e as never, p.rows, [...KEYS[table], ...FIGURES]) as never)
        .onConflict((conflict) =>
          conflict.columns([...KEYS[table]] as never).doUpdateSet({
            bytes: grown("bytes"),
            countRequests: grown("countRequests"),
          })
        )
    );
  const adding = { nsRecordHourlyStats: add("nsRecordHourlyStats"), nsDomainHourlyStats: add("nsDomainHourlyStats") };
  const ofDomain = (q: Kysely<Tables>, p: Range) =>
    q.selectFrom("nsDomainHourlyStats").select(sums()).where("nsDomainId", "=", p.nsDomainId)
      .where("hour", ">=", p.from).where("hour", "<=", p.to);
  const removing = (table: Kind) => {
    const key = sql.raw(KEYS[table].join(", "));
    return db.query((q, p: { before: bigint; limit: number }) =>
      q.deleteFrom(table).where(
        sql<SqlBool>`(${key}) in (select ${key} from ${sql.table(table)} where hour < ${p.before} limit ${p.limit})`,
      )
    );
  };

  return {
    /** Returns the rows of days in a table. */
    days: db.query((q, p: { kind: Kind; days: readonly bigint[] }) =>
      q.selectFrom("nsStatDays").select(["day", "n"]).where("kind", "=", p.kind).where("day", "in", anyOf(p.days))
    ),
    /** Selects which of the rows, given as JSON, the table of records has. */
    knownRecords: db.query((q, p: { rows: string }) =>
      q.selectFrom(sql<{ value: string }>`json_each(${p.rows})`.as("item"))
        .innerJoin("nsRecordHourlyStats as s", (on) =>
          on.on(sql<SqlBool>`s.nsRecordId = item.value ->> 'nsRecordId'`)
            .on(sql<SqlBool>`s.hour = item.value ->> 'hour'`)
            .on(sql<SqlBool>`s.nsDomainId = item.value ->> 'nsDomainId'`))
        .select(["s.nsRecordId", "s.hour", "s.nsDomainId"])
    ),
    knownDomains: db.query((q, p: { rows: string }) =>
      q.selectFrom(sql<{ value: string }>`json_each(${p.rows})`.as("item"))
        .innerJoin("nsDomainHourlyStats as s", (on) =>
          on.on(sql<SqlBool>`s.nsDomainId = item.value ->> 'nsDomainId'`)
            .on(sql<SqlBool>`s.hour = item.value ->> 'hour'`)
            .on(sql<SqlBool>`s.questionType = item.value ->> 'questionType'`)
            .on(sql<SqlBool>`s.responseCode = item.value ->> 'responseCode'`))
        .select(["s.nsDomainId", "s.hour", "s.questionType", "s.responseCode"])
    ),
    /** Adds the figures of rows that differ in their keys. */
    async add(call: Call, table: Kind, rows: readonly (RecordRow | DomainRow)[]): Promise<void> {
      if (rows.length > 0) await adding[table].run(call, { rows: jsonRows(rows) });
    },
    /** Notes an upload; no row comes back if it was noted before. */
    noteUpload: db.query((q, p: { nsNodeId: bigint; uploadId: string; createdAt: bigint }) =>
      q.insertInto("nsStatUploads").values({ nsNodeId: p.nsNodeId, uploadId: p.uploadId, createdAt: p.createdAt })
        .onConflict((conflict) => conflict.columns(["nsNodeId", "uploadId"]).doNothing()).returning("uploadId")
    ),
    hoursOfRecord: db.query((q, p: { nsRecordId: bigint; from: bigint; to: bigint }) =>
      q.selectFrom("nsRecordHourlyStats").select("hour").select(sums()).where("nsRecordId", "=", p.nsRecordId)
        .where("hour", ">=", p.from).where("hour", "<=", p.to).groupBy("hour")
    ),
    ofRecords: db.query((q, p: { ids: readonly bigint[]; hour: bigint }) =>
      q.selectFrom("nsRecordHourlyStats").select("nsRecordId").select(sums()).where("nsRecordId", "in", anyOf(p.ids))
        .where("hour", "=", p.hour).groupBy("nsRecordId")
    ),
    hoursOfDomain: db.query((q, p: Range) => ofDomain(q, p).select("hour").groupBy("hour")),
    typesOfDomain: db.query((q, p: Range) => ofDomain(q, p).select("questionType as name").groupBy("questionType")),
    codesOfDomain: db.query((q, p: Range) => ofDomain(q, p).select("responseCode as name").groupBy("responseCode")),
    recordsOfDomain: db.query((q, p: Range) =>
      q.selectFrom("nsRecordHourlyStats").select("nsRecordId").select(sums()).where("nsDomainId", "=", p.nsDomainId)
        .where("hour", ">=", p.from).where("hour", "<=", p.to).groupBy("nsRecordId")
        .orderBy("countRequests", "desc").orderBy("nsRecordId").limit(sql.lit(TOP_RECORDS))
    ),
    removeSome: [removing("nsRecordHourlyStats"), removing("nsDomainHourlyStats")],
    removeDays: db.query((q, p: { before: bigint; limit: number }) =>
      q.deleteFrom("nsStatDays").where(
        sql<SqlBool>`(kind, day) in (select kind, day from nsStatDays where day < ${p.before} limit ${p.limit})`,
      )
    ),
    removeUploads: db.query((q, p: { before: bigint; limit: number }) =>
      q.deleteFrom("nsStatUploads").where(
        sql<SqlBool>`(nsNodeId, uploadId) in (
          select nsNodeId, uploadId from nsStatUploads where createdAt < ${p.before} limit ${p.limit})`,
      )
    ),
  };
}

export type StatStore = ReturnType<typeof statStore>;

/** Returns rows as JSON. Bigints are numbers there, which JSON.stringify does not support. */
export function jsonRows(rows: readonly object[]): string {
  return JSON.stringify(rows, (_key, value) => typeof value === "bigint" ? Number(value) : value);
}

function sums() {
  return FIGURES.map((column) => sql<bigint>`sum(${sql.ref(column)})`.as(column));
}

function grown(column: (typeof FIGURES)[number]) {
  return sql<bigint>`min(${sql.ref(column)} + excluded.${sql.ref(column)}, ${sql.lit(MAX_FIGURE)})`;
}

function items(e: Kysely<Tables>, rows: string, columns: readonly string[]) {
  return e.selectFrom(sql<{ value: string }>`json_each(${rows})`.as("item"))
    .select(columns.map((column) => sql<bigint>`item.value ->> ${sql.lit(column)}`.as(column)))
    // without a where clause, SQLite would parse "on" as a join constraint
    .where(sql<SqlBool>`true`);
}
