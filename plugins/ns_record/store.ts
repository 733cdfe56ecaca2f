import { anyOf, type Db, type DefaultFlag } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { declareFeed, feedRows } from "edgehelm/storage";
import { type Kysely, type Selectable, sql, type SqlBool } from "kysely";
import type { RecordType } from "./values.ts";

export interface Tables {
  nsRecords: LiveTable<{
    nsDomainId: bigint;
    /** The cluster of the domain; updated when the domain moves. */
    nsClusterId: bigint;
    description: string;
    name: string;
    type: RecordType;
    value: string;
    ttl: bigint;
    weight: bigint;
    mxPriority: bigint;
    srvPriority: bigint;
    srvWeight: bigint;
    srvPort: bigint;
    caaFlag: bigint;
    caaTag: string;
    /** A JSON array; empty if the record applies to all clients. */
    routeCodes: string;
    healthCheckJSON: Uint8Array | null;
    isOn: DefaultFlag;
    isUp: DefaultFlag;
    createdAt: bigint;
    version: bigint;
  }>;
  nsRecordRoutes: { routeCode: string; nsRecordId: bigint };
  nsRecordCounts: { nsDomainId: bigint; type: RecordType; n: bigint };
  /** The nodes that report that the address of a record is down. */
  nsRecordDownReports: { nsRecordId: bigint; nsNodeId: bigint; reportedAt: bigint };
  /** The records that are left out of answers because of these reports. */
  nsRecordOutages: { nsRecordId: bigint; beganAt: bigint };
  /** The state of the records of a domain; triggers maintain it. */
  nsRecordZones: { nsDomainId: bigint; nsClusterId: bigint; serial: bigint; base: bigint; version: bigint };
}

export type NSRecordRow = Selectable<Tables["nsRecords"]>;
export type NewRecord = Omit<NSRecordRow, "id" | "healthCheckJSON" | "isOn" | "isUp" | "version" | "state">;

/** A limit above what fits into one DNS answer. */
const MAX_OF_NAME = 1000;

/** A literal, because SQLite would not use the partial indexes of live rows with a parameter. */
export const isLive = sql<SqlBool>`nsRecords.state = 1`;

const CONTENT = [
  "description",
  "name",
  "type",
  "value",
  "ttl",
  "weight",
  "mxPriority",
  "srvPriority",
  "srvWeight",
  "srvPort",
  "caaFlag",
  "caaTag",
  "routeCodes",
] as const;

export const recordFeed = declareFeed({ table: "nsRecords", version: "version", scope: "nsClusterId" });

/** The SQL statements of this plugin, except those of `nsRecordLists`. */
export function nsRecordStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("nsRecords").selectAll().where(isLive);

  return {
    ...feedRows(db, recordFeed, {
      insert: [...CONTENT, "nsDomainId", "nsClusterId", "createdAt"],
      update: [...CONTENT, "healthCheckJSON", "isOn", "isUp"],
    }),
    byId: db.query((q, p: { id: bigint }) => live(q).where("id", "=", p.id)),
    places: db.query((q, p: { ids: readonly bigint[] }) =>
      q.selectFrom("nsRecords").select(["id", "nsDomainId", "name", "type", "state"]).where("id", "in", anyOf(p.ids))
    ),
    ofNameAndType: db.query((q, p: { nsDomainId: bigint; name: string; type: string }) =>
      live(q).where("nsDomainId", "=", p.nsDomainId).where("name", "=", p.name)
        .where(sql<SqlBool>`type = ${p.type}`).orderBy("id").limit(sql.lit(MAX_OF_NAME))
    ),
    countOfName: db.query((q, p: { nsDomainId: bigint; name: string; type: string }) =>
      q.selectFrom("nsRecords").select((e) => e.fn.countAll<bigint>().as("count")).where(isLive)
        .where("nsDomainId", "=", p.nsDomainId).where("name", "=", p.name)
        .where(sql<SqlBool>`${p.type} in ('', type)`)
    ),
    /** Selects the records at the given names of a domain. */
    atNames: db.query((q, p: { nsDomainId: bigint; names: readonly string[] }) =>
      live(q).where("nsDomainId", "=", p.nsDomainId).where("name", "in", anyOf(p.names))
    ),
    ofDomain: db.query((q, p: { nsDomainId: bigint; limit: number }) =>
      live(q).where("nsDomainId", "=", p.nsDomainId).orderBy("id").limit(p.limit)
    ),
    ofDomainAfter: db.query((q, p: { nsDomainId: bigint; after: bigint; limit: number }) =>
      live(q).where("nsDomainId", "=", p.nsDomainId).where("id", ">", p.after).orderBy("id").limit(p.limit)
    ),
    idsOfDomain: db.query((q, p: { nsDomainId: bigint; after: bigint; limit: number }) =>
      q.selectFrom("nsRecords").select("id").where(isLive).where("nsDomainId", "=", p.nsDomainId)
        .where("id", ">", p.after).orderBy("id").limit(p.limit)
    ),
    usingRoute: db.query((q, p: { routeCode: string; limit: number }) =>
      q.selectFrom("nsRecordRoutes").innerJoin("nsRecords", "nsRecords.id", "nsRecordRoutes.nsRecordId")
        .select(["nsRecords.nsDomainId", "nsRecords.name", "nsRecords.type"])
        .where("routeCode", "=", p.routeCode).limit(p.limit)
    ),
  };
}

export type NSRecordStore = ReturnType<typeof nsRecordStore>;
