import { anyOf, type Db, type Flag } from "edgehelm";
import { type Generated, type Insertable, type Selectable, sql, type SqlBool } from "kysely";

/** Written out, since a parameter would keep SQLite from using the indexes of live rows. */
export const isLive = sql<SqlBool>`state = 1`;

export interface Tables {
  sslCerts: {
    id: Generated<bigint>;
    /** 0 for the installation's own. */
    userId: bigint;
    isOn: Flag;
    name: string;
    description: string;
    serverName: string;
    isCA: Flag;
    timeBeginAt: bigint;
    timeEndAt: bigint;
    /** A JSON array, as is commonNames. */
    dnsNames: string;
    commonNames: string;
    /** SHA-256 in hexadecimal. */
    fingerprint: string;
    createdAt: bigint;
    updatedAt: bigint;
    state: Generated<bigint>;
  };
  sslCertFiles: {
    sslCertId: bigint;
    certData: Uint8Array;
    /** Sealed for the certificate with the row's fingerprint; empty when there is no key. */
    sealedKey: string;
  };
  sslCertNames: { name: string; sslCertId: bigint };
}

export type SSLCertRow = Selectable<Tables["sslCerts"]>;
export type SSLCertFiles = Selectable<Tables["sslCertFiles"]>;
/** Everything of a certificate that its operations set. */
export type SSLCertFields = Omit<Insertable<Tables["sslCerts"]>, "id" | "userId" | "createdAt" | "state">;

/** Reading and finding single certificates, and writing. */
export function sslCertStore(db: Db<Tables>) {
  const fields = (p: SSLCertFields) => ({
    isOn: p.isOn,
    name: p.name,
    description: p.description,
    serverName: p.serverName,
    isCA: p.isCA,
    timeBeginAt: p.timeBeginAt,
    timeEndAt: p.timeEndAt,
    dnsNames: p.dnsNames,
    commonNames: p.commonNames,
    fingerprint: p.fingerprint,
    updatedAt: p.updatedAt,
  });

  return {
    insert: db.query((q, p: SSLCertFields & { userId: bigint; createdAt: bigint }) =>
      q.insertInto("sslCerts").values({ userId: p.userId, createdAt: p.createdAt, ...fields(p) }).returning("id")
    ),
    update: db.query((q, p: SSLCertFields & { id: bigint }) =>
      q.updateTable("sslCerts").set(fields(p)).where("id", "=", p.id)
    ),
    putFiles: db.query((q, p: SSLCertFiles) =>
      q.replaceInto("sslCertFiles").values({
        sslCertId: p.sslCertId,
        certData: p.certData,
        sealedKey: p.sealedKey,
      })
    ),
    byId: db.query((q, p: { id: bigint }) => q.selectFrom("sslCerts").selectAll().where("id", "=", p.id).where(isLive)),
    byIds: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("sslCerts").selectAll().where("id", "in", anyOf(p.ids)).where(isLive)
    ),
    filesOf: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("sslCertFiles").selectAll().where("sslCertId", "in", anyOf(p.ids))
    ),
    forgetNames: db.query((q, p: { ids: bigint[] }) =>
      q.deleteFrom("sslCertNames").where("sslCertId", "in", anyOf(p.ids))
    ),
    putNames: db.query((q, p: { sslCertId: bigint; names: string[] }) =>
      q.insertInto("sslCertNames").columns(["name", "sslCertId"]).expression((e) =>
        e.selectFrom(sql<{ value: string }>`json_each(${p.names})`.as("item"))
          .select(["item.value as name", sql<bigint>`${p.sslCertId}`.as("sslCertId")]).distinct()
      )
    ),
    someOfUser: db.query((q, p: { userId: bigint; limit: number }) =>
      q.selectFrom("sslCerts").select("id").where("userId", "=", p.userId).where(isLive)
        .orderBy("id").limit(p.limit)
    ),
    remove: db.query((q, p: { ids: bigint[] }) =>
      q.updateTable("sslCerts").set({ state: 0n }).where("id", "in", anyOf(p.ids))
    ),
    removeFiles: db.query((q, p: { ids: bigint[] }) =>
      q.deleteFrom("sslCertFiles").where("sslCertId", "in", anyOf(p.ids))
    ),
  };
}

export type SSLCertStore = ReturnType<typeof sslCertStore>;
