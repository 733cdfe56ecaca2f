import { type Db, type Flag, isLive, liveRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import type { Selectable } from "kysely";
import type { PolicyType } from "./rules.ts";
import { errors } from "./errors.ts";

export interface Tables {
  httpCachePolicies: LiveTable<{
    isOn: Flag;
    name: string;
    description: string;
    type: PolicyType;
    capacityJSON: Uint8Array;
    maxSizeJSON: Uint8Array;
    /** Empty if no options were set, which only memory policies allow. */
    optionsJSON: Uint8Array;
    syncCompressionCache: Flag;
    /** Empty for the nodes' default. */
    fetchTimeoutJSON: Uint8Array;
    refsJSON: Uint8Array;
  }>;
}

export type HTTPCachePolicyRow = Selectable<Tables["httpCachePolicies"]>;

const SETTINGS = [
  "isOn",
  "name",
  "description",
  "type",
  "capacityJSON",
  "maxSizeJSON",
  "optionsJSON",
  "syncCompressionCache",
  "fetchTimeoutJSON",
] as const;

export type HTTPCachePolicyStore = ReturnType<typeof httpCachePolicyStore>;

export function httpCachePolicyStore(db: Db<Tables>) {
  return {
    ...liveRows(db, "httpCachePolicies", errors.not_found),
    insert: db.insert("httpCachePolicies", [...SETTINGS, "refsJSON"]),
    update: db.update("httpCachePolicies", SETTINGS),
    setRefs: db.update("httpCachePolicies", ["refsJSON"]),
    allNames: db.query((q) =>
      q.selectFrom("httpCachePolicies").select(["id", "name", "isOn"]).where(isLive).orderBy("id", "desc")
    ),
    list: rowList(db, "httpCachePolicies", { equalIfSet: ["type"], contains: ["name"], order: { id: "desc" } }),
  };
}
