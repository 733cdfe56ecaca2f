import { anyOf, type Call, type Db, type DefaultFlag } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { declareFeed } from "edgehelm/storage";
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
}

export type NSRecordRow = Selectable<Tables["nsRecords"]>;
export type NewRecord = Omit<NSRecordRow, "id" | "healthCheckJSON" | "isOn" | "isUp" | "version" | "state">;

/** A limit above what fits into one DNS answer. */
const MAX_OF_NAME = 1000;

/** A literal, because SQLite would not use the partial indexes of live rows with a parameter. */
export const isLive = sql<SqlBool>`nsRecords.state = 1`;

const INSERTED_COLUMNS = [
  "nsDomainId",
  "nsClusterId",
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
  "createdAt",
] as const;

export const recordFeed = declareFeed({ table: "nsRecords", version: "version", scope: "nsClusterId" });

/** The SQL statements of this plugin, except those of `nsRecordLists`. */
export function nsRecordStore(db: Db<Tables>) {
  const feed = recordFeed.open(db);
  const live = (q: Kysely<Tables>) => q.selectFrom("nsRecords").selectAll().where(isLive);
  const insert = db.query((q, p: { records: string }) =>
    q.insertInto("nsRecords").columns([...INSERTED_COLUMNS, "version"])
      .expression((e) =>
        e.selectFrom(sql<{ key: bigint; value: string }>`json_each(${p.records})`.as("item")).select([
          ...INSERTED_COLUMNS.map((column) => sql`item.value ->> ${sql.lit(column)}`.as(column)),
          sql<bigint>`${feed.nextVersion} + item.key`.as("version"),
        ]).orderBy("item.key")
      ).returning(["id", "version"])
  );
  const update = db.query((q, p: NSRecordRow & { index: number }) =>
    q.updateTable("nsRecords").set({
      nsClusterId: p.nsClusterId,
      description: p.description,
      name: p.name,
      type: p.type,
      value: p.value,
      ttl: p.ttl,
      weight: p.weight,
      mxPriority: p.mxPriority,
      srvPriority: p.srvPriority,
      srvWeight: p.srvWeight,
      srvPort: p.srvPort,
      caaFlag: p.caaFlag,
      caaTag: p.caaTag,
      routeCodes: p.routeCodes,
      healthCheckJSON: p.healthCheckJSON,
      isOn: p.isOn,
      isUp: p.isUp,
      version: sql`${feed.nextVersion} + ${p.index}`,
    }).where("id", "=", p.id)
  );
  const removeByIds = db.query((q, p: { ids: bigint[] }) =>
    q.updateTable("nsRecords").from(sql<{ key: bigint; value: bigint }>`json_each(${p.ids})`.as("item"))
      .set({ state: 0n, version: sql`${feed.nextVersion} + item.key` })
      .whereRef("nsRecords.id", "=", "item.value").where(isLive)
  );
  const moveByIds = db.query((q, p: { ids: bigint[]; nsClusterId: bigint }) =>
    q.updateTable("nsRecords").from(sql<{ key: bigint; value: bigint }>`json_each(${p.ids})`.as("item"))
      .set({ nsClusterId: p.nsClusterId, version: sql`${feed.nextVersion} + item.key` })
      .whereRef("nsRecords.id", "=", "item.value").where(isLive)
  );

  return {
    feed,
    byId: db.query((q, p: { id: bigint }) => live(q).where("id", "=", p.id)),
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

    /** Creates records with consecutive versions and returns their ids in order. */
    async create(call: Call, records: readonly NewRecord[]): Promise<bigint[]> {
      if (records.length === 0) return [];
      const json = JSON.stringify(records, (_key, value) => typeof value === "bigint" ? Number(value) : value);
      const rows = await insert.all(call, { records: json });
      await feed.advance(call, records.length);
      return rows.sort((a, b) => Number(a.version - b.version)).map(({ id }) => id);
    },
    /** Changes some columns of a record and assigns the next version. */
    async change(call: Call, row: NSRecordRow, changes: Partial<NSRecordRow>): Promise<void> {
      await this.changeAll(call, [{ ...row, ...changes }]);
    },
    /** Stores the given rows, each with its own new version. */
    async changeAll(call: Call, rows: readonly NSRecordRow[]): Promise<void> {
      if (rows.length === 0) return;
      for (const [index, row] of rows.entries()) await update.defer(call, { ...row, index });
      await feed.advance(call, rows.length);
    },
    async remove(call: Call, ids: bigint[]): Promise<void> {
      if (ids.length === 0) return;
      await removeByIds.run(call, { ids });
      await feed.advance(call, ids.length);
    },
    async move(call: Call, ids: bigint[], nsClusterId: bigint): Promise<void> {
      if (ids.length === 0) return;
      await moveByIds.run(call, { ids, nsClusterId });
      await feed.advance(call, ids.length);
    },
  };
}

export type NSRecordStore = ReturnType<typeof nsRecordStore>;
