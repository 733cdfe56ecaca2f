import { type Db, type Flag, liveRows, rowCount } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import { type Generated, type Kysely, type Selectable, sql } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  apiNodes: LiveTable<{
    uniqueId: string;
    /** Empty for an API node that an admin created. */
    instanceCode: string;
    name: string;
    description: string;
    isOn: Flag;
    isPrimary: Flag;
    restIsOn: Flag;
    httpJSON: Uint8Array | null;
    httpsJSON: Uint8Array | null;
    restHTTPJSON: Uint8Array | null;
    restHTTPSJSON: Uint8Array | null;
    accessAddrsJSON: Uint8Array | null;
    statusJSON: Generated<Uint8Array | null>;
    /** 0 if it never reported. */
    statusUpdatedAt: Generated<bigint>;
  }>;
}

export type APINodeRow = Selectable<Tables["apiNodes"]>;

/** The settings of an API node. In an update, null keeps a JSON column. */
export interface APINodeFields {
  readonly name: string;
  readonly description: string;
  readonly isOn: boolean;
  readonly restIsOn: boolean;
  readonly httpJSON: Uint8Array | null;
  readonly httpsJSON: Uint8Array | null;
  readonly restHTTPJSON: Uint8Array | null;
  readonly restHTTPSJSON: Uint8Array | null;
  readonly accessAddrsJSON: Uint8Array | null;
}

const ADDRESSES = ["httpJSON", "httpsJSON", "restHTTPJSON", "restHTTPSJSON", "accessAddrsJSON"] as const;

/** Defines all SQL statements of this plugin. */
export function apiNodeStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("apiNodes").where("state", "=", 1n);
  const countLive = (q: Kysely<Tables>) => live(q).select(rowCount);

  return {
    ...liveRows(db, "apiNodes", errors.not_found),
    insert: db.insert("apiNodes", [
      "uniqueId",
      "instanceCode",
      "name",
      "description",
      "isOn",
      "isPrimary",
      "restIsOn",
      ...ADDRESSES,
    ]),
    update: db.updateLive("apiNodes", ["name", "description", "isOn", "isPrimary", "restIsOn"], {}, ADDRESSES),
    reachable: db.query((q) =>
      live(q).select("accessAddrsJSON").where("isOn", "=", 1n).where("accessAddrsJSON", "is not", null)
        .orderBy("isPrimary", "desc").orderBy("id")
    ),
    demote: db.query((q) =>
      q.updateTable("apiNodes").set({ isPrimary: false }).where("isPrimary", "=", 1n).where("state", "=", 1n)
    ),
    setStatus: db.update("apiNodes", ["statusJSON", "statusUpdatedAt"]),
    byInstance: db.query((q, p: { instanceCode: string }) =>
      live(q).selectAll().where("instanceCode", "=", p.instanceCode)
    ),
    primary: db.query((q) => live(q).select("id").where("isPrimary", "=", sql<bigint>`1`)),
    list: rowList(db, "apiNodes", { equalIfSet: ["isOn"], order: { id: "desc" } }),
    countOffline: db.query((q, p: { activeSince: bigint }) =>
      countLive(q).where("isOn", "=", 1n).where("statusUpdatedAt", "<", p.activeSince)
    ),
  };
}

export type APINodeStore = ReturnType<typeof apiNodeStore>;
