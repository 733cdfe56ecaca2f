import { anyOf, type Db, type DefaultFlag, ownedRows } from "edgehelm";
import { type LiveTable, ownedCount, type SharingOptions } from "edgehelm/rows";
import type { Generated, Insertable, Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  reverseProxies: LiveTable<{
    /** 0 if the proxy belongs to the installation. */
    userId: bigint;
    /** True if the proxy stays with the installation when sites of users use it. */
    isShared: DefaultFlag;
    isOn: DefaultFlag;
    schedulingJSON: Uint8Array;
    primaryOriginsJSON: Uint8Array;
    backupOriginsJSON: Uint8Array;
    requestHostType: Generated<bigint | number>;
    requestHost: Generated<string>;
    requestURI: Generated<string>;
    stripPrefix: Generated<string>;
    requestHostExcludingPort: DefaultFlag;
    retry50X: DefaultFlag;
    retry40X: DefaultFlag;
    /** A JSON array. */
    addHeaders: string;
    autoFlush: DefaultFlag;
    connTimeoutJSON: Generated<Uint8Array>;
    readTimeoutJSON: Generated<Uint8Array>;
    idleTimeoutJSON: Generated<Uint8Array>;
    maxConns: Generated<bigint | number>;
    maxIdleConns: Generated<bigint | number>;
    proxyProtocolJSON: Generated<Uint8Array>;
    followRedirects: DefaultFlag;
  }>;
  reverseProxyOrigins: { originId: bigint; reverseProxyId: bigint };
}

export type ReverseProxyRow = Selectable<Tables["reverseProxies"]>;
type NewProxy = Omit<Tables["reverseProxies"], "id" | "state">;
/** The columns that updateReverseProxy sets. */
export type Settings = Required<
  Omit<
    Insertable<NewProxy>,
    "userId" | "isShared" | "isOn" | "schedulingJSON" | "primaryOriginsJSON" | "backupOriginsJSON"
  >
>;
/** The JSON columns that have their own update operation. */
const REPLACED = ["schedulingJSON", "primaryOriginsJSON", "backupOriginsJSON"] as const;
export type ReplacedColumn = (typeof REPLACED)[number];

/**
 * The SQL statements of this plugin.
 *
 * @param sharing the sites that refer to proxies, and what a proxy takes that gets a new owner
 */
export function reverseProxyStore(
  db: Db<Tables>,
  sharing: Pick<SharingOptions<ReverseProxyRow>, "referrers" | "taken">,
) {
  const replace = (column: ReplacedColumn) =>
    db.query((q, p: { id: bigint; json: Uint8Array }) =>
      q.updateTable("reverseProxies").set({ [column]: p.json }).where("id", "=", p.id)
    );

  return {
    ...ownedRows(db, "reverseProxies", errors.not_found, { ...sharing, isForSharing: (row) => row.isShared === 1n }),
    countOfUser: ownedCount(db, "reverseProxies"),
    insert: db.insert("reverseProxies", [...REPLACED, "userId", "isShared", "addHeaders"]),
    update: db.update("reverseProxies", [
      "requestHostType",
      "requestHost",
      "requestURI",
      "stripPrefix",
      "requestHostExcludingPort",
      "retry50X",
      "retry40X",
      "addHeaders",
      "autoFlush",
      "connTimeoutJSON",
      "readTimeoutJSON",
      "idleTimeoutJSON",
      "maxConns",
      "maxIdleConns",
      "proxyProtocolJSON",
      "followRedirects",
    ]),
    replace: {
      schedulingJSON: replace("schedulingJSON"),
      primaryOriginsJSON: replace("primaryOriginsJSON"),
      backupOriginsJSON: replace("backupOriginsJSON"),
    },
    link: db.query((q, p: { reverseProxyId: bigint; originId: bigint }) =>
      q.insertInto("reverseProxyOrigins").values({ originId: p.originId, reverseProxyId: p.reverseProxyId })
        .onConflict((conflict) => conflict.doNothing())
    ),
    withOrigins: db.query((q, p: { originIds: bigint[] }) =>
      q.selectFrom("reverseProxyOrigins").select("reverseProxyId").distinct()
        .where("originId", "in", anyOf(p.originIds)).orderBy("reverseProxyId")
    ),
    linksOf: db.query((q, p: { originIds: bigint[] }) =>
      q.selectFrom("reverseProxyOrigins").select(["originId", "reverseProxyId"])
        .where("originId", "in", anyOf(p.originIds))
    ),
    unlink: db.query((q, p: { ids: bigint[] }) =>
      q.deleteFrom("reverseProxyOrigins").where("reverseProxyId", "in", anyOf(p.ids))
    ),
  };
}

/** The columns in which proxies refer to origins. */
export const ORIGIN_REFERENCES = { table: "reverseProxyOrigins", target: "originId", id: "reverseProxyId" } as const;

export type ReverseProxyStore = ReturnType<typeof reverseProxyStore>;
