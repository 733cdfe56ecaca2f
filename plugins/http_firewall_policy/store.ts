import { anyOf, type Db, type DefaultFlag, type Flag, isLive, liveRows, rowCount } from "edgehelm";
import { type LiveTable, referencePages, rowList } from "edgehelm/rows";
import { type Generated, type Insertable, type Kysely, type Selectable, sql, type SqlBool } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  httpFirewallPolicies: LiveTable<{
    /** The server that it belongs to; 0 for none, as in serverGroupId. */
    serverId: bigint;
    serverGroupId: bigint;
    /** The user who created it; 0 if an admin did. */
    userId: Generated<bigint>;
    isOn: Flag;
    name: string;
    description: string;
    mode: Generated<string>;
    useLocalFirewall: DefaultFlag;
    maxRequestBodySize: Generated<bigint>;
    denyCountryHTML: Generated<string>;
    denyProvinceHTML: Generated<string>;
    inboundJSON: Uint8Array;
    outboundJSON: Uint8Array;
    blockOptionsJSON: Generated<Uint8Array>;
    captchaOptionsJSON: Generated<Uint8Array>;
    pageOptionsJSON: Generated<Uint8Array>;
    jsCookieOptionsJSON: Generated<Uint8Array>;
    synFloodJSON: Generated<Uint8Array>;
    logJSON: Generated<Uint8Array>;
  }>;
  httpFirewallPolicyGroups: { groupId: bigint; policyId: bigint };
}

type PolicyTable = Tables["httpFirewallPolicies"];
export type PolicyRow = Selectable<PolicyTable>;
/** The columns that updateHTTPFirewallPolicy replaces. */
export type Settings = Required<
  Omit<
    Insertable<PolicyTable>,
    "id" | "state" | "serverId" | "serverGroupId" | "userId" | "inboundJSON" | "outboundJSON"
  >
>;

const NAMING = ["isOn", "name", "description"] as const;
const INSPECTION = ["inboundJSON", "outboundJSON"] as const;
// Literals, since SQLite does not use a partial index with parameters.
const isShared = sql<SqlBool>`serverId = 0 and serverGroupId = 0 and userId = 0`;

/** Defines all SQL statements of this plugin. */
export function policyStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("httpFirewallPolicies").where(isLive);

  return {
    ...liveRows(db, "httpFirewallPolicies", errors.not_found),
    insert: db.insert("httpFirewallPolicies", [...NAMING, ...INSPECTION, "serverId", "serverGroupId", "userId"]),
    update: db.update("httpFirewallPolicies", [
      ...NAMING,
      "mode",
      "useLocalFirewall",
      "maxRequestBodySize",
      "denyCountryHTML",
      "denyProvinceHTML",
      "blockOptionsJSON",
      "captchaOptionsJSON",
      "pageOptionsJSON",
      "jsCookieOptionsJSON",
      "synFloodJSON",
      "logJSON",
    ]),
    setOwner: db.update("httpFirewallPolicies", ["userId"]),
    someOfUser: db.query((q, p: { userId: bigint; limit: number }) =>
      live(q).select("id").where("userId", "=", p.userId).where(sql<SqlBool>`userId <> 0`).limit(p.limit)
    ),
    countOfUser: db.query((q, p: { userId: bigint }) =>
      live(q).select(rowCount).where("userId", "=", p.userId).where(sql<SqlBool>`userId <> 0`)
    ),
    setGroups: db.update("httpFirewallPolicies", INSPECTION),
    summaries: db.query((q, p: { ids: readonly bigint[] }) =>
      live(q).select(["id", "name", "isOn", "serverId", "userId"]).where("id", "in", anyOf(p.ids))
    ),
    all: db.query((q) => live(q).where(isShared).select(["id", "name", "isOn", "description"]).orderBy("id", "desc")),
    list: rowList(db, "httpFirewallPolicies", { where: isShared, contains: ["name"], order: { id: "desc" } }),
    link: db.query((q, p: { groupId: bigint; policyId: bigint }) =>
      q.insertInto("httpFirewallPolicyGroups").values({ groupId: p.groupId, policyId: p.policyId })
        .onConflict((conflict) => conflict.doNothing())
    ),
    unlink: db.query((q, p: { policyId: bigint }) =>
      q.deleteFrom("httpFirewallPolicyGroups").where("policyId", "=", p.policyId)
    ),
    groupsWithPolicy: referencePages(db, { table: "httpFirewallPolicyGroups", target: "groupId", id: "policyId" }),
    ofServer: db.query((q, p: { serverId: bigint }) =>
      live(q).selectAll().where("serverId", "=", p.serverId).where(sql<SqlBool>`serverId <> 0`)
    ),
    withGroups: db.query((q, p: { groupIds: bigint[] }) =>
      q.selectFrom("httpFirewallPolicyGroups").select("policyId").distinct().where("groupId", "in", anyOf(p.groupIds))
        .orderBy("policyId")
    ),
  };
}

export type PolicyStore = ReturnType<typeof policyStore>;
