import { anyOf, type Db, type DefaultFlag, type Flag, liveRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import type { Generated, Selectable } from "kysely";
import type { PlanPriceType } from "./contract.ts";
import { errors } from "./errors.ts";

export interface Tables {
  plans: LiveTable<{
    name: string;
    description: string;
    clusterId: bigint;
    priceType: PlanPriceType;
    /** In hundredths of the currency unit, like the next two prices. */
    monthlyPrice: bigint;
    seasonallyPrice: bigint;
    yearlyPrice: bigint;
    trafficPriceJSON: Uint8Array | null;
    bandwidthPriceJSON: Uint8Array | null;
    trafficLimitJSON: Uint8Array | null;
    bandwidthLimitPerNodeJSON: Uint8Array | null;
    maxUploadSizeJSON: Uint8Array | null;
    featuresJSON: Uint8Array | null;
    quotasJSON: Uint8Array | null;
    hasFullFeatures: Flag;
    totalServers: bigint;
    totalServerNamesPerServer: bigint;
    totalServerNames: bigint;
    dailyRequests: bigint;
    monthlyRequests: bigint;
    dailyWebsocketConnections: bigint;
    monthlyWebsocketConnections: bigint;
    isOn: DefaultFlag;
    /** Plans are listed by descending order. */
    order: Generated<bigint>;
  }>;
}

export type PlanRow = Selectable<Tables["plans"]>;

const SETTINGS = [
  "name",
  "description",
  "clusterId",
  "priceType",
  "monthlyPrice",
  "seasonallyPrice",
  "yearlyPrice",
  "trafficPriceJSON",
  "bandwidthPriceJSON",
  "trafficLimitJSON",
  "bandwidthLimitPerNodeJSON",
  "maxUploadSizeJSON",
  "featuresJSON",
  "quotasJSON",
  "hasFullFeatures",
  "totalServers",
  "totalServerNamesPerServer",
  "totalServerNames",
  "dailyRequests",
  "monthlyRequests",
  "dailyWebsocketConnections",
  "monthlyWebsocketConnections",
] as const;

/** The columns that admins set. */
export type PlanFields = Pick<PlanRow, (typeof SETTINGS)[number]>;

/** The SQL statements of this plugin. */
export function planStore(db: Db<Tables>) {
  return {
    ...liveRows(db, "plans", errors.not_found),
    insert: db.insert("plans", SETTINGS),
    update: db.update("plans", [...SETTINGS, "isOn"]),
    setOrder: db.update("plans", ["order"]),
    byIdsWithDeleted: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("plans").selectAll().where("id", "in", anyOf(p.ids))
    ),
    quotas: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("plans").select(["id", "quotasJSON"]).where("id", "in", anyOf(p.ids)).where(
        "quotasJSON",
        "is not",
        null,
      )
    ),
    list: rowList(db, "plans", { equalIfSet: ["isOn"], order: { order: "desc", id: "desc" } }),
    namesOnCluster: db.query((q, p: { id: bigint; limit: number }) =>
      q.selectFrom("plans").select("name").where("clusterId", "=", p.id).where("state", "=", 1n).limit(p.limit)
    ),
  };
}

export type PlanStore = ReturnType<typeof planStore>;
