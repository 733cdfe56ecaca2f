import { type AccessTokens, type Call, idField, type SealedSecrets } from "edgehelm";
import type { NodeGrants } from "../../node_grant/contract.ts";
import type { NodeConfigPart, NodeDeletion, NodeListener } from "../contract.ts";
import { errors } from "../errors.ts";
import type { SurroundingParts } from "../messages.ts";
import type { NodeChanges } from "../store_changes.ts";
import type { NodeRow } from "../store_tables.ts";

/** What the handlers work with. */
export interface Parts extends SurroundingParts {
  readonly changes: NodeChanges;
  readonly secrets: SealedSecrets;
  readonly tokens: AccessTokens;
  readonly grants: NodeGrants | undefined;
  readonly deletions: readonly NodeDeletion[];
  readonly listeners: readonly NodeListener[];
  readonly configParts: readonly NodeConfigPart[];
}

/** The node, or not found. */
export async function requireNode({ nodes }: Parts, call: Call, nodeId: bigint): Promise<NodeRow> {
  const id = idField("nodeId", nodeId);
  return await nodes.byId.require(call, { id }, () => errors.not_found(id));
}
