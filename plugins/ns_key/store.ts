import { type Call, type Db, type DefaultFlag, isLive, liveRows, type Page, rowCount } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { declareFeed } from "edgehelm/storage";
import { type Selectable, sql } from "kysely";
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
}

export type NSKeyRow = Selectable<Tables["nsKeys"]>;
export type NewKey = Omit<NSKeyRow, "id" | "isOn" | "version" | "state">;

export const keyFeed = declareFeed({ table: "nsKeys", version: "version", scope: "nsClusterId" });

/** Returns the statements of this plugin. */
export function nsKeyStore(db: Db<Tables>) {
  const feed = keyFeed.open(db);
  const insert = db.query((q, p: NewKey) =>
    q.insertInto("nsKeys").values({
      nsDomainId: p.nsDomainId,
      nsClusterId: p.nsClusterId,
      name: p.name,
      algo: p.algo,
      secret: p.secret,
      secretPlace: p.secretPlace,
      secretType: p.secretType,
      version: feed.nextVersion,
    }).returning("id")
  );
  const update = db.query((q, p: NSKeyRow & { index: number }) =>
    q.updateTable("nsKeys").set({
      nsClusterId: p.nsClusterId,
      name: p.name,
      algo: p.algo,
      secret: p.secret,
      secretPlace: p.secretPlace,
      secretType: p.secretType,
      isOn: p.isOn,
      version: sql`${feed.nextVersion} + ${p.index}`,
      state: p.state,
    }).where("id", "=", p.id)
  );

  return {
    feed,
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

    async create(call: Call, key: NewKey): Promise<bigint> {
      const { id } = await insert.one(call, key);
      await feed.advance(call, 1);
      return id;
    },
    /** Changes a key and assigns it the next version. */
    async change(call: Call, row: NSKeyRow, changes: Partial<NSKeyRow>): Promise<void> {
      await this.changeAll(call, [{ ...row, ...changes }]);
    },
    /** Stores changed keys and assigns each the next version. */
    async changeAll(call: Call, rows: readonly NSKeyRow[]): Promise<void> {
      if (rows.length === 0) return;
      for (const [index, row] of rows.entries()) await update.defer(call, { ...row, index });
      await feed.advance(call, rows.length);
    },
  };
}

export type NSKeyStore = ReturnType<typeof nsKeyStore>;
