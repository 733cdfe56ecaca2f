import {
  type Call,
  defineExtensionPoint,
  distinct,
  type ExtensionPoint,
  idField,
  invalid,
  jsonBytes,
  jsonField,
  listField,
} from "edgehelm";
import type { Summaries } from "edgehelm/rows";
import { type ClusterOpenTo, ClusterOpenToSchema } from "edgehelm/proto/shapes/cluster_open_to_pb.js";
import type { PlanHolders } from "./holders.ts";

const FIELD = "openToJSON";
const MAX_ITEMS = 1000;

/** Finds the objects of one kind to which clusters can be restricted. */
export interface ClusterAudience {
  readonly list: "userIds" | "planIds";
  /** The word for what the list contains, for errors. */
  readonly noun: string;
  /** Finds those that exist. */
  readonly objects: Summaries<unknown>;
}
/** The extension point for the plugins of users and plans. What no plugin contributes cannot be listed. */
export const ClusterAudiences: ExtensionPoint<ClusterAudience> = defineExtensionPoint("plan.cluster_audiences");

/** The contributions by which clusters are restricted. */
export interface ClusterAccessDeps {
  readonly audiences: readonly ClusterAudience[];
  readonly holders: readonly PlanHolders[];
}

/** A row with the restriction of a cluster; null for none. */
export interface Restricted {
  readonly openToJSON: Uint8Array | null;
}

/** Checks who may choose a cluster, of whatever kind. */
export class ClusterAccess {
  readonly #deps: ClusterAccessDeps;

  constructor(deps: ClusterAccessDeps) {
    this.#deps = deps;
  }

  /** Returns true if objects of the user may be placed in the cluster; user 0 is the installation, which may use all. */
  async isOpenTo(call: Call, { openToJSON }: Restricted, userId: bigint): Promise<boolean> {
    if (openToJSON === null || userId === 0n) return true;
    const { userIds, planIds } = jsonField(FIELD, openToJSON, ClusterOpenToSchema)!;
    if (userIds.length === 0 && planIds.length === 0) return true;
    if (userIds.includes(userId)) return true;
    for (const holders of planIds.length === 0 ? [] : this.#deps.holders) {
      if ((await holders.usablePlanIds(call, userId)).some((id) => planIds.includes(id))) return true;
    }
    return false;
  }

  /** Validates a restriction and returns it as it is stored. Returns null for empty bytes. */
  async checked(call: Call, json: Uint8Array): Promise<Uint8Array | null> {
    const openTo = jsonField(FIELD, json, ClusterOpenToSchema);
    if (openTo === undefined) return null;
    await this.#requireAll(call, openTo, "userIds");
    await this.#requireAll(call, openTo, "planIds");
    return jsonBytes(ClusterOpenToSchema, openTo);
  }

  async #requireAll(call: Call, openTo: ClusterOpenTo, list: ClusterAudience["list"]): Promise<void> {
    const path = `${FIELD}.${list}`;
    const ids = distinct(listField(path, openTo[list], idField, { max: MAX_ITEMS }));
    if (ids.length === 0) return;
    const audience = this.#deps.audiences.find((candidate) => candidate.list === list);
    if (audience === undefined) {
      throw invalid(path, `must be empty, because ${list === "userIds" ? "users" : "plans"} are not enabled`);
    }
    const found = await audience.objects.summaries(call, ids);
    const missing = ids.find((id) => !found.has(id));
    if (missing !== undefined) throw invalid(path, `${audience.noun} ${missing} does not exist`);
  }
}
