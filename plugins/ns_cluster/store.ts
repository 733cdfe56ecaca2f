import { anyOf, type Call, type Db, type DefaultFlag, liveRows } from "edgehelm";
import { rowList } from "edgehelm/rows";
import type { Query } from "edgehelm/storage";
import { type Generated, type Selectable, sql } from "kysely";
import { CONFIG_COLUMNS, type ConfigColumn } from "./config_field.ts";
import { errors } from "./errors.ts";

export interface Tables {
  nsClusters:
    & {
      id: Generated<bigint>;
      name: string;
      isOn: DefaultFlag;
      installDir: Generated<string>;
      /** A JSON array. */
      hosts: string;
      autoRemoteStart: DefaultFlag;
      timeZone: Generated<string>;
      detectAgents: DefaultFlag;
      email: string;
      checkingPorts: DefaultFlag;
      /** Null if all users may choose the cluster. */
      openToJSON: Generated<Uint8Array | null>;
      configVersion: Generated<bigint>;
      state: Generated<bigint>;
    }
    & Record<ConfigColumn, Generated<Uint8Array | null>>;
  nsClusterSSLPolicies: { nsClusterId: bigint; configColumn: ConfigColumn; sslPolicyId: bigint };
}

export type NSClusterRow = Selectable<Tables["nsClusters"]>;

const SUMMARY = ["id", "name", "isOn", "hosts", "openToJSON", "configVersion"] as const;

/** The columns that lists and choices of clusters read. */
export type NSClusterSummaryRow = Pick<NSClusterRow, typeof SUMMARY[number]>;

/** Every change that affects the nodes increments the version in the same statement. */
const CHANGED = { configVersion: sql<bigint>`configVersion + 1` };

/** Returns the statements of this plugin. */
export function nsClusterStore(db: Db<Tables>) {
  const summaryById = db.query((q, p: { id: bigint }) =>
    q.selectFrom("nsClusters").select(SUMMARY).where("id", "=", p.id).where("state", "=", 1n)
  );
  const summaryByIds = db.query((q, p: { ids: readonly bigint[] }) =>
    q.selectFrom("nsClusters").select(SUMMARY).where("id", "in", anyOf(p.ids)).where("state", "=", 1n)
  );
  return {
    ...liveRows(db, "nsClusters", errors.not_found),
    insert: db.insert("nsClusters", ["name", "hosts", "email", "accessLogJSON", "soaJSON", "openToJSON"]),
    update: db.updateLive(
      "nsClusters",
      ["name", "isOn", "hosts", "autoRemoteStart", "timeZone", "detectAgents", "email", "checkingPorts"],
      CHANGED,
      ["openToJSON"],
    ),
    setConfig: Object.fromEntries(
      CONFIG_COLUMNS.map((column) => [column, db.updateLive("nsClusters", [column], CHANGED)]),
    ) as Record<ConfigColumn, Query<{ id: bigint } & Partial<Record<ConfigColumn, Uint8Array>>, unknown>>,
    remove: db.update("nsClusters", [], { ...CHANGED, state: 0n }),
    summaryById,
    /** Returns the summaries of the clusters that exist. */
    async summariesOf(call: Call, ids: readonly bigint[]): Promise<NSClusterSummaryRow[]> {
      if (ids.length === 0) return [];
      // a single id is the common case, and faster without a list
      return ids.length === 1 ? await summaryById.all(call, { id: ids[0]! }) : await summaryByIds.all(call, { ids });
    },
    allOn: db.query((q) =>
      q.selectFrom("nsClusters").select(SUMMARY).where("state", "=", 1n).where("isOn", "=", 1n).orderBy("id")
    ),
    list: rowList(db, "nsClusters", { order: { id: "desc" } }),
    versions: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("nsClusters").select(["id", "configVersion"]).where("id", "in", anyOf(p.ids)).where("state", "=", 1n)
    ),
    setPolicyReference: db.put("nsClusterSSLPolicies", ["nsClusterId", "configColumn"], [
      "nsClusterId",
      "configColumn",
      "sslPolicyId",
    ]),
    deletePolicyReference: db.query((q, p: { nsClusterId: bigint; configColumn: ConfigColumn }) =>
      q.deleteFrom("nsClusterSSLPolicies").where("nsClusterId", "=", p.nsClusterId)
        .where("configColumn", "=", p.configColumn)
    ),
    deletePolicyReferences: db.query((q, p: { id: bigint }) =>
      q.deleteFrom("nsClusterSSLPolicies").where("nsClusterId", "=", p.id)
    ),
    countWithPolicies: db.query((q, p: { sslPolicyIds: bigint[] }) =>
      q.selectFrom("nsClusterSSLPolicies").where("sslPolicyId", "in", anyOf(p.sslPolicyIds))
        .select((e) => e.fn.count<bigint>("nsClusterId").distinct().as("count"))
    ),
  };
}

export type NSClusterStore = ReturnType<typeof nsClusterStore>;
