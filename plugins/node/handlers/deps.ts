import type { AccessTokens, SealedSecrets } from "edgehelm/auth";
import type { NodeLinks } from "../../node_base/contract.ts";
import type { NodeGrants } from "../../node_grant/contract.ts";
import type { NodeConfigPart, NodeDeletion, NodeListener } from "../contract.ts";
import type { MessageDeps } from "../messages.ts";
import type { Presence } from "../presence.ts";
import type { NodeChanges } from "../store_changes.ts";

/** The dependencies of the handlers. */
export interface Deps extends MessageDeps {
  readonly changes: NodeChanges;
  readonly presence: Presence;
  readonly secrets: SealedSecrets;
  readonly tokens: AccessTokens;
  readonly links: NodeLinks;
  readonly grants: NodeGrants | undefined;
  readonly deletions: readonly NodeDeletion[];
  readonly listeners: readonly NodeListener[];
  readonly configParts: readonly NodeConfigPart[];
}
