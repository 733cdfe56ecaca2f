import type { Clock, UseCheck } from "edgehelm";
import type { NodeGrants } from "../../node_grant/contract.ts";
import type { ClusterPolicyKeeper, NodeClusterDeletion } from "../contract.ts";
import type { NodeClusterStore } from "../store.ts";
import type { NodeClusterChanges } from "../store_changes.ts";

/** What the handlers work with. */
export interface Deps {
  readonly clusters: NodeClusterStore;
  readonly changes: NodeClusterChanges;
  readonly grants: NodeGrants | undefined;
  readonly clock: Clock;
  readonly uses: readonly UseCheck[];
  readonly deletions: readonly NodeClusterDeletion[];
  readonly policyKeepers: readonly ClusterPolicyKeeper[];
}
