import { type Db, type DefaultFlag, isLive, liveRows, type Page, rowCount } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { declareFeed, feedRows } from "edgehelm/storage";
import type { Selectable } from "kysely";
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

export const keyFeed = declareFeed({ table: "nsKeys", version: "version", scope: "nsClusterId" });

const SETTINGS = ["name", "algo", "secret", "secretPlace", "secretType"] as const;

/** Returns the statements of this plugin. */
export function nsKeyStore(db: Db<Tables>) {
  return {
    ...liveRows(db, "nsKeys", errors.not_found),
    ...feedRows(db, keyFeed, {
      insert: [...SETTINGS, "nsDomainId", "nsClusterId"],
      update: [...SETTINGS, "isOn"],
    }),
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
    idsOfDomain: db.query((q, p: { nsDomainId: bigint; after: bigint; limit: number }) =>
      q.selectFrom("nsKeys").select("id").where("nsDomainId", "=", p.nsDomainId).where("id", ">", p.after).where(isLive)
        .orderBy("id").limit(p.limit)
    ),
  };
}

export type NSKeyStore = ReturnType<typeof nsKeyStore>;
