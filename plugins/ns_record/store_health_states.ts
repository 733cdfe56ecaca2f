import { anyOf, type Call, type Db, type Page } from "edgehelm";
import { type Kysely, sql, type SqlBool } from "kysely";
import { isLive, type NSRecordRow, type Tables } from "./store.ts";

/** Selects the records of a domain with a health check. */
export interface HealthFilter {
  readonly nsDomainId: bigint;
  /** True if the domain has the check of records without one of their own turned on. */
  readonly isDomainChecked: boolean;
  /** True for records that are left out of answers only. */
  readonly isDown: boolean;
}

/** Domains with more addresses are scanned outside the event loop. */
const MAX_INLINE_SCAN = 2000n;

/** Lists and counts the records with a health check, and what nodes report of them. */
export function healthStateLists(db: Db<Tables>) {
  type Values = Page & { readonly nsDomainId: bigint; readonly isDomainChecked: bigint; readonly maxIsUp: bigint };
  const valuesOf = ({ nsDomainId, isDomainChecked, isDown }: HealthFilter, page: Page): Values => ({
    ...page,
    nsDomainId,
    isDomainChecked: isDomainChecked ? 1n : 0n,
    maxIsUp: isDown ? 0n : 1n,
  });
  const matching = (q: Kysely<Tables>, { nsDomainId, isDomainChecked, maxIsUp }: Values) =>
    q.selectFrom("nsRecords").where(isLive).where("nsDomainId", "=", nsDomainId)
      .where(sql<SqlBool>`type in ('A', 'AAAA')`).where(sql<SqlBool>`isOn = 1`)
      .where(sql<SqlBool>`isUp <= ${maxIsUp}`)
      .where(
        sql<SqlBool>`iif(length(healthCheckJSON) > 0, json_extract(cast(healthCheckJSON as text), '$.isOn') = 1,
          ${isDomainChecked} = 1)`,
      );
  const list = db.query((q, p: Values) => matching(q, p).selectAll().orderBy("id").limit(p.size).offset(p.offset));
  const count = db.query((q, p: Values) => matching(q, p).select((e) => e.fn.countAll<bigint>().as("count")));
  const addresses = db.query((q, p: { nsDomainId: bigint }) =>
    q.selectFrom("nsRecordCounts").select(sql<bigint>`coalesce(sum(n), 0)`.as("count"))
      .where("nsDomainId", "=", p.nsDomainId).where(sql<SqlBool>`type in ('A', 'AAAA')`)
  );
  const runMethod = async (call: Call, { nsDomainId }: HealthFilter) =>
    (await addresses.one(call, { nsDomainId })).count <= MAX_INLINE_SCAN ? "all" as const : "scan" as const;

  return {
    async list(call: Call, filter: HealthFilter, page: Page): Promise<NSRecordRow[]> {
      return await list[await runMethod(call, filter)](call, valuesOf(filter, page));
    },
    async count(call: Call, filter: HealthFilter): Promise<bigint> {
      const rows = await count[await runMethod(call, filter)](call, valuesOf(filter, { offset: 0n, size: 0n }));
      return rows[0]!.count;
    },
    outages: db.query((q, p: { ids: readonly bigint[] }) =>
      q.selectFrom("nsRecordOutages").selectAll().where("nsRecordId", "in", anyOf(p.ids))
    ),
    /** Selects the latest reports of each record, with the number of all of them. */
    reports: db.query((q, p: ReportFilter) =>
      q.selectFrom((e) =>
        e.selectFrom("nsRecordDownReports").selectAll()
          .select([
            sql<bigint>`count(*) over (partition by nsRecordId)`.as("count"),
            sql<bigint>`row_number() over (partition by nsRecordId order by reportedAt desc, nsNodeId)`.as("place"),
          ])
          .where("nsRecordId", "in", anyOf(p.ids)).where("nsNodeId", "in", anyOf(p.nodeIds))
          .where("reportedAt", ">", p.since).as("counted")
      ).selectAll().where("place", "<=", p.size).orderBy("nsRecordId").orderBy("place")
    ),
  };
}

interface ReportFilter {
  readonly ids: readonly bigint[];
  /** Reports of other nodes do not count. */
  readonly nodeIds: readonly bigint[];
  readonly since: bigint;
  /** The number of reports of each record. */
  readonly size: bigint;
}

export type HealthStateLists = ReturnType<typeof healthStateLists>;
