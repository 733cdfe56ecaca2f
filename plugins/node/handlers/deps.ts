import type { AccessTokens, SealedSecrets } from "edgehelm";
import type { NodeGrants } from "../../node_grant/contract.ts";
import type { NodeConfigPart, NodeDeletion, NodeListener } from "../contract.ts";
import type { StoreDepsInit } from "../messages.ts";
import type { NodeChanges } from "../store_changes.ts";

/** What the handlers work with. */
export interface Deps extends StoreDepsInit {
  readonly changes: NodeChanges;
  readonly secrets: SealedSecrets;
  readonly tokens: AccessTokens;
  readonly grants: NodeGrants | undefined;
  readonly deletions: readonly NodeDeletion[];
  readonly listeners: readonly NodeListener[];
  readonly configParts: readonly NodeConfigPart[];
}
