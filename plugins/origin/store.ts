import { anyOf, type Db, type Flag, isLive, ownedRows } from "edgehelm";
import { type LiveTable, ownedCount, type Referrer } from "edgehelm/rows";
import { type Generated, type Insertable, type Selectable, sql } from "kysely";
import type { SSLCerts } from "../ssl_cert/contract.ts";
import { errors } from "./errors.ts";

export interface Tables {
  origins: LiveTable<{
    /** 0 if the origin belongs to the installation. */
    userId: bigint;
    isOn: Flag;
    version: Generated<bigint>;
    name: string;
    /** Empty for object storage, as are host and portRange. */
    protocol: string;
    host: string;
    portRange: string;
    description: string;
    weight: number | bigint;
    connTimeoutJSON: Uint8Array;
    readTimeoutJSON: Uint8Array;
    idleTimeoutJSON: Uint8Array;
    maxConns: number | bigint;
    maxIdleConns: number | bigint;
    /** A JSON array. */
    domains: string;
    certRefJSON: Uint8Array;
    /** The certificate of certRefJSON, even if the reference is turned off; 0 for none. */
    sslCertId: bigint;
    requestHost: string;
    followPort: Flag;
    /** Empty if the origin has an address. */
    sealedOSS: Generated<string>;
    http2Enabled: Flag;
  }>;
}

export type OriginRow = Selectable<Tables["origins"]>;
/** The columns that the operations set. */
export type OriginFields = Omit<Insertable<Tables["origins"]>, "id" | "userId" | "version" | "sealedOSS" | "state">;

const SETTINGS = [
  "isOn",
  "name",
  "protocol",
  "host",
  "portRange",
  "description",
  "weight",
  "connTimeoutJSON",
  "readTimeoutJSON",
  "idleTimeoutJSON",
  "maxConns",
  "maxIdleConns",
  "domains",
  "certRefJSON",
  "sslCertId",
  "requestHost",
  "followPort",
  "http2Enabled",
] as const;

/**
 * The SQL statements of this plugin.
 *
 * @param certificates the certificates that origins refer to, which an origin that gets a new owner takes with it
 */
export function originStore(
  db: Db<Tables>,
  referrers: readonly Referrer[],
  certificates: Pick<SSLCerts, "take"> | undefined,
) {
  const nextVersion = sql<bigint>`version + 1`;

  return {
    ...ownedRows(db, "origins", errors.not_found, {
      referrers,
      async taken(call, { sslCertId }, field, taker) {
        if (sslCertId !== 0n) await certificates?.take(call, [{ field, id: sslCertId }], taker);
      },
    }),
    countOfUser: ownedCount(db, "origins"),
    insert: db.insert("origins", [...SETTINGS, "userId"]),
    update: db.update("origins", SETTINGS, { version: nextVersion }),
    setStorage: db.update("origins", ["sealedOSS"]),
    setIsOn: db.update("origins", ["isOn"], { version: nextVersion }),
    withCertificate: db.query((q, p: { sslCertId: bigint; limit: bigint }) =>
      q.selectFrom("origins").select(["id", "name"]).where("sslCertId", "=", p.sslCertId)
        .where("sslCertId", "<>", sql.lit(0n)).where(isLive).orderBy("id").limit(p.limit)
    ),
    nextVersionOf: db.query((q, p: { ids: bigint[] }) =>
      q.updateTable("origins").set({ version: nextVersion }).where("id", "in", anyOf(p.ids))
    ),
  };
}

export type OriginStore = ReturnType<typeof originStore>;
