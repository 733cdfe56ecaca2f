import { anyOf, type Db } from "edgehelm";
import { sql, type SqlBool } from "kysely";
import { isLive, type Tables } from "./store.ts";

const STATE = ["nsDomainId", "version", "serial"] as const;

/** Returns the statements from which nodes get zones. */
export function nsZoneStore(db: Db<Tables>) {
  return {
    changedAfter: db.query((q, p: { nsClusterId: bigint; version: bigint; limit: number }) =>
      q.selectFrom("nsRecordZones").select(STATE).where("nsClusterId", "=", p.nsClusterId)
        .where("version", ">", p.version).orderBy("version").limit(p.limit)
    ),
    states: db.query((q, p: { ids: readonly bigint[] }) =>
      q.selectFrom("nsRecordZones").select(STATE).where("nsDomainId", "in", anyOf(p.ids))
    ),
    recordsAfter: db.query((q, p: { nsDomainId: bigint; version: bigint; limit: number }) =>
      q.selectFrom("nsRecords").selectAll().where("nsDomainId", "=", p.nsDomainId).where("version", ">", p.version)
        .orderBy("version").limit(p.limit)
    ),
    authorities: db.query((q, p: { ids: readonly bigint[] }) =>
      q.selectFrom("nsRecords").selectAll().where(isLive).where("nsDomainId", "in", anyOf(p.ids))
        .where(sql<SqlBool>`name = '@' and type in ('SOA', 'NS')`)
        .where(sql<SqlBool>`isOn = 1`).where(sql<SqlBool>`routeCodes = '[]'`).orderBy("id")
    ),
  };
}
