import { anyOf, type Db } from "edgehelm";
import { sql } from "kysely";
import type { Tables } from "./store.ts";

/** Above the number of nodes that a cluster has. */
const MAX_REPORTS = 1000;

/** The SQL statements for the health of records. */
export function recordHealthStore(db: Db<Tables>) {
  return {
    reportDown: db.query((q, p: { nsRecordId: bigint; nsNodeId: bigint; reportedAt: bigint }) =>
      q.insertInto("nsRecordDownReports")
        .values({ nsRecordId: p.nsRecordId, nsNodeId: p.nsNodeId, reportedAt: p.reportedAt })
        .onConflict((conflict) =>
          conflict.columns(["nsRecordId", "nsNodeId"]).doUpdateSet({ reportedAt: p.reportedAt })
        )
    ),
    withdraw: db.query((q, p: { nsRecordId: bigint; nsNodeId: bigint }) =>
      q.deleteFrom("nsRecordDownReports").where("nsRecordId", "=", p.nsRecordId).where("nsNodeId", "=", p.nsNodeId)
    ),
    withdrawAll: db.query((q, p: { nsRecordId: bigint }) =>
      q.deleteFrom("nsRecordDownReports").where("nsRecordId", "=", p.nsRecordId)
    ),
    reports: db.query((q, p: { nsRecordId: bigint; since: bigint }) =>
      q.selectFrom("nsRecordDownReports").select("nsNodeId").where("nsRecordId", "=", p.nsRecordId)
        .where("reportedAt", ">", p.since).limit(sql.lit(MAX_REPORTS))
    ),
    lapsed: db.query((q, p: { until: bigint; limit: number }) =>
      q.selectFrom("nsRecordDownReports").select("nsRecordId").where("reportedAt", "<=", p.until)
        .orderBy("reportedAt").limit(p.limit)
    ),
    removeLapsed: db.query((q, p: { ids: readonly bigint[]; until: bigint }) =>
      q.deleteFrom("nsRecordDownReports").where("nsRecordId", "in", anyOf(p.ids)).where("reportedAt", "<=", p.until)
    ),
    outage: db.query((q, p: { nsRecordId: bigint }) =>
      q.selectFrom("nsRecordOutages").selectAll().where("nsRecordId", "=", p.nsRecordId)
    ),
    outagesAfter: db.query((q, p: { after: bigint; limit: number }) =>
      q.selectFrom("nsRecordOutages").select("nsRecordId").where("nsRecordId", ">", p.after).orderBy("nsRecordId")
        .limit(p.limit)
    ),
    beginOutage: db.query((q, p: { nsRecordId: bigint; beganAt: bigint }) =>
      q.insertInto("nsRecordOutages").values({ nsRecordId: p.nsRecordId, beganAt: p.beganAt })
        .onConflict((conflict) => conflict.doNothing())
    ),
    endOutage: db.query((q, p: { nsRecordId: bigint }) =>
      q.deleteFrom("nsRecordOutages").where("nsRecordId", "=", p.nsRecordId)
    ),
  };
}

export type RecordHealthStore = ReturnType<typeof recordHealthStore>;
