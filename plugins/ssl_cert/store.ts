import { anyOf, type Db, type Flag, ownedRows } from "edgehelm";
import { type LiveTable, ownedCount, type Referrer } from "edgehelm/rows";
import { type Generated, type Insertable, type Selectable, sql } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  sslCerts: LiveTable<{
    /** 0 if the certificate belongs to the installation. */
    userId: bigint;
    isOn: Flag;
    name: string;
    description: string;
    serverName: string;
    isCA: Flag;
    timeBeginAt: bigint;
    timeEndAt: bigint;
    /** A JSON array, like commonNames. */
    dnsNames: string;
    commonNames: string;
    /** SHA-256 in hexadecimal. */
    fingerprint: string;
    /** The ACME task that obtained the certificate; 0 if it was uploaded. */
    acmeTaskId: Generated<bigint>;
    createdAt: bigint;
    updatedAt: bigint;
  }>;
  sslCertFiles: {
    sslCertId: bigint;
    certData: Uint8Array;
    /** Sealed for the certificate with the row's fingerprint; empty if there is no key. */
    sealedKey: string;
  };
  sslCertNames: { name: string; sslCertId: bigint };
}

export type SSLCertRow = Selectable<Tables["sslCerts"]>;
export type SSLCertFiles = Selectable<Tables["sslCertFiles"]>;
/** The columns that the operations set. */
export type SSLCertFields = Omit<
  Insertable<Tables["sslCerts"]>,
  "id" | "userId" | "acmeTaskId" | "createdAt" | "state"
>;

const SETTINGS = [
  "isOn",
  "name",
  "description",
  "serverName",
  "isCA",
  "timeBeginAt",
  "timeEndAt",
  "dnsNames",
  "commonNames",
  "fingerprint",
  "updatedAt",
] as const;

/** The SQL statements of this plugin, except those of `sslCertLists`. */
export function sslCertStore(db: Db<Tables>, referrers: readonly Referrer[]) {
  return {
    ...ownedRows(db, "sslCerts", errors.not_found, { referrers }),
    countOfUser: ownedCount(db, "sslCerts"),
    insert: db.insert("sslCerts", [...SETTINGS, "userId", "createdAt"]),
    insertIssued: db.insert("sslCerts", [...SETTINGS, "userId", "createdAt", "acmeTaskId"]),
    update: db.update("sslCerts", SETTINGS),
    updateIssued: db.updateLive("sslCerts", [
      "isOn",
      "timeBeginAt",
      "timeEndAt",
      "dnsNames",
      "commonNames",
      "fingerprint",
      "updatedAt",
      "acmeTaskId",
    ]),
    turnOff: db.updateLive("sslCerts", ["updatedAt"], { isOn: 0n }),
    putFiles: db.put("sslCertFiles", ["sslCertId"], ["sslCertId", "certData", "sealedKey"]),
    filesOf: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("sslCertFiles").selectAll().where("sslCertId", "in", anyOf(p.ids))
    ),
    deleteNames: db.query((q, p: { ids: bigint[] }) =>
      q.deleteFrom("sslCertNames").where("sslCertId", "in", anyOf(p.ids))
    ),
    putNames: db.query((q, p: { sslCertId: bigint; names: string[] }) =>
      q.insertInto("sslCertNames").columns(["name", "sslCertId"]).expression((e) =>
        e.selectFrom(sql<{ value: string }>`json_each(${p.names})`.as("item"))
          .select(["item.value as name", sql<bigint>`${p.sslCertId}`.as("sslCertId")]).distinct()
      )
    ),
    removeFiles: db.query((q, p: { ids: bigint[] }) =>
      q.deleteFrom("sslCertFiles").where("sslCertId", "in", anyOf(p.ids))
    ),
  };
}

export type SSLCertStore = ReturnType<typeof sslCertStore>;
