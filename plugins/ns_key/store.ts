import { type Call, type Db, type DefaultFlag, liveRows, type Page, rowCount } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { type Selectable, sql, type SqlBool } from "kysely";
import type { Algorithm, SecretType } from "./rules.ts";
import { errors } from "./errors.ts";

export interface Tables {
  nsKeys: LiveTable<{
    nsDomainId: bigint;
    /** A copy of the domain's cluster, updated when the domain moves. */
    nsClusterId: bigint;
    name: string;
    algo: Algorithm;
    /** The sealed secret. */
    secret: string;
    /** The random row name that the secret is sealed for, because the id is not known before the insertion. */
    secretPlace: string;
    secretType: SecretType;
    isOn: DefaultFlag;
    version: bigint;
  }>;
  nsKeyVersions: { id: bigint; version: bigint };
}

export type NSKeyRow = Selectable<Tables["nsKeys"]>;
export type NewKey = Omit<NSKeyRow, "id" | "isOn" | "version" | "state">;

const isLive = sql<SqlBool>`nsKeys.state = 1`;

/** Returns the statements of this plugin. */
export function nsKeyStore(db: Db<Tables>) {
  const reserveVersions = db.query((q, p: { count: number }) =>
    q.updateTable("nsKeyVersions").set({ version: sql`version + ${p.count}` }).where("id", "=", sql.lit(1n)).returning(
      "version",
    )
  );
  const insert = db.insert("nsKeys", [
    "nsDomainId",
    "nsClusterId",
    "name",
    "algo",
    "secret",
    "secretPlace",
    "secretType",
    "version",
  ]);
  const update = db.update("nsKeys", [
    "nsClusterId",
    "name",
    "algo",
    "secret",
    "secretPlace",
    "secretType",
    "isOn",
    "version",
    "state",
  ]);

  /** Reserves `count` new versions and returns the first one. */
  async function nextVersion(call: Call, count = 1): Promise<bigint> {
    return (await reserveVersions.one(call, { count })).version - BigInt(count) + 1n;
  }

  return {
    ...liveRows(db, "nsKeys", errors.not_found),
    byName: db.query((q, p: { nsDomainId: bigint; name: string }) =>
      q.selectFrom("nsKeys").select("id").where("nsDomainId", "=", p.nsDomainId).where("name", "=", p.name)
        .where(isLive)
    ),
    page: db.query((q, p: Page & { nsDomainId: bigint }) =>
      q.selectFrom("nsKeys").selectAll().where("nsDomainId", "=", p.nsDomainId).where(isLive).orderBy("id", "desc")
        .limit(p.size).offset(p.offset)
    ),
    count: db.query((q, p: { nsDomainId: bigint }) =>
      q.selectFrom("nsKeys").select(rowCount).where("nsDomainId", "=", p.nsDomainId)
        .where(isLive)
    ),
    someOfDomain: db.query((q, p: { nsDomainId: bigint; after: bigint; limit: number }) =>
      q.selectFrom("nsKeys").selectAll().where("nsDomainId", "=", p.nsDomainId).where("id", ">", p.after).where(isLive)
        .orderBy("id").limit(p.limit)
    ),
    afterVersion: db.query((q, p: { version: bigint; size: bigint }) =>
      q.selectFrom("nsKeys").selectAll().where("version", ">", p.version).orderBy("version").limit(p.size)
    ),
    latestOfCluster: db.query((q, p: { nsClusterId: bigint }) =>
      q.selectFrom("nsKeys").select(sql<bigint>`coalesce(max(version), 0)`.as("version"))
        .where("nsClusterId", "=", p.nsClusterId)
    ),
    ofClusterAfterVersion: db.query((q, p: { nsClusterId: bigint; version: bigint; size: bigint }) =>
      q.selectFrom("nsKeys").selectAll().where("nsClusterId", "=", p.nsClusterId).where("version", ">", p.version)
        .orderBy("version").limit(p.size)
    ),

    async create(call: Call, key: NewKey): Promise<bigint> {
      return (await insert.one(call, { ...key, version: await nextVersion(call) })).id;
    },
    /** Changes a key and assigns it the next version. */
    async change(call: Call, row: NSKeyRow, changes: Partial<NSKeyRow>): Promise<void> {
      await this.changeAll(call, [{ ...row, ...changes }]);
    },
    /** Stores changed keys and assigns each the next version. */
    async changeAll(call: Call, rows: readonly NSKeyRow[]): Promise<void> {
      if (rows.length === 0) return;
      const version = await nextVersion(call, rows.length);
      for (const [index, row] of rows.entries()) await update.defer(call, { ...row, version: version + BigInt(index) });
    },
  };
}

export type NSKeyStore = ReturnType<typeof nsKeyStore>;
