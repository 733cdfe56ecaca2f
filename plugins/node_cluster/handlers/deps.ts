import type { Clock, UseCheck } from "edgehelm";
import type { NodeGrants } from "../../node_grant/contract.ts";
import type { ClusterAccess } from "../../plan/contract.ts";
import type { ClusterPolicyCheck, NodeClusterDeletion } from "../contract.ts";
import type { NodeClusterStore } from "../store.ts";
import type { NodeClusterChanges } from "../store_changes.ts";

/** The dependencies of the handlers. */
export interface Deps {
  readonly clusters: NodeClusterStore;
  readonly changes: NodeClusterChanges;
  readonly grants: NodeGrants | undefined;
  readonly access: ClusterAccess;
  readonly clock: Clock;
  readonly uses: readonly UseCheck[];
  readonly deletions: readonly NodeClusterDeletion[];
  readonly policyChecks: readonly ClusterPolicyCheck[];
}
