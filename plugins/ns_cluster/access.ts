import { type Call, distinct, idField, invalid, jsonBytes, jsonField, listField } from "edgehelm";
import { type NSClusterOpenTo, NSClusterOpenToSchema } from "edgehelm/proto/shapes/ns_cluster_open_to_pb.js";
import type { PlanHolders, Plans } from "../plan/contract.ts";
import type { Users } from "../user/contract.ts";

const FIELD = "openToJSON";
const MAX_ITEMS = 1000;

/** The contracts of the plugins by whose objects clusters are restricted. */
export interface AccessContracts {
  readonly users: Users | undefined;
  readonly plans: Plans | undefined;
  readonly holders: readonly PlanHolders[];
}

/** A row with the restriction of a cluster; null for none. */
interface Restricted {
  readonly openToJSON: Uint8Array | null;
}

/** Checks who may choose a cluster. */
export class ClusterAccess {
  readonly #contracts: AccessContracts;

  constructor(contracts: AccessContracts) {
    this.#contracts = contracts;
  }

  /** Returns true if domains of the user may be created in the cluster; user 0 is the installation, which may use all. */
  async isOpenTo(call: Call, { openToJSON }: Restricted, userId: bigint): Promise<boolean> {
    if (openToJSON === null || userId === 0n) return true;
    const { userIds, planIds } = jsonField(FIELD, openToJSON, NSClusterOpenToSchema)!;
    if (userIds.length === 0 && planIds.length === 0) return true;
    if (userIds.includes(userId)) return true;
    for (const holders of planIds.length === 0 ? [] : this.#contracts.holders) {
      if ((await holders.usablePlanIds(call, userId)).some((id) => planIds.includes(id))) return true;
    }
    return false;
  }

  /** Validates a restriction and returns it as it is stored. Returns null for empty bytes. */
  async checked(call: Call, json: Uint8Array): Promise<Uint8Array | null> {
    const openTo = jsonField(FIELD, json, NSClusterOpenToSchema);
    if (openTo === undefined) return null;
    await requireAll(call, openTo, "userIds", "user", this.#contracts.users);
    await requireAll(call, openTo, "planIds", "plan", this.#contracts.plans);
    return jsonBytes(NSClusterOpenToSchema, openTo);
  }
}

async function requireAll(
  call: Call,
  openTo: NSClusterOpenTo,
  list: "userIds" | "planIds",
  noun: string,
  contract: Users | Plans | undefined,
): Promise<void> {
  const path = `${FIELD}.${list}`;
  const ids = distinct(listField(path, openTo[list], idField, { max: MAX_ITEMS }));
  if (ids.length === 0) return;
  if (contract === undefined) throw invalid(path, `must be empty, because ${noun}s are not enabled`);
  const found: ReadonlyMap<bigint, unknown> = await contract.summaries(call, ids);
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) throw invalid(path, `${noun} ${missing} does not exist`);
}
