import type { Call } from "edgehelm";
import type { CredentialSource, SealedSecrets, TokenRole } from "edgehelm/auth";

/** The columns of a node that its authentication needs. */
export interface NodeCredentialRow {
  readonly id: bigint;
  /** 1 if the node is enabled, 0 if not. */
  readonly isOn: bigint;
  /** The secret, sealed for the row `uniqueId` by `sealedSecrets`. */
  readonly secret: string;
}

/** The queries that find nodes. Deleted nodes must not be found. */
export interface NodeCredentialStore {
  readonly byUniqueId: { first(call: Call, by: { uniqueId: string }): Promise<NodeCredentialRow | undefined> };
  readonly byId: { first(call: Call, by: { id: bigint }): Promise<NodeCredentialRow | undefined> };
}

/**
 * Creates a credential source that exchanges the uniqueId and secret of nodes for access tokens. A token is valid for
 * as long as its node exists and is enabled.
 *
 * @param name the name of the plugin that contributes the source
 * @param role the role of the tokens
 *
 * @example
 * ```ts
 * import { nodeCredentials } from "../node_base/contract.ts";
 *
 * contribute(CredentialSources, nodeCredentials("ns_node", "dns", store, secrets));
 * ```
 */
export function nodeCredentials(
  name: string,
  role: TokenRole,
  nodes: NodeCredentialStore,
  secrets: SealedSecrets,
): CredentialSource {
  return {
    name,
    roles: [role],
    async verify(call, _role, uniqueId, secret) {
      const node = await nodes.byUniqueId.first(call, { uniqueId });
      const matches = await secrets.matches(uniqueId, node?.secret, secret);
      return matches && node?.isOn === 1n ? { subjectId: node.id, keyId: node.id } : undefined;
    },
    async isLive(call, _role, { subjectId }) {
      return (await nodes.byId.first(call, { id: subjectId }))?.isOn === 1n;
    },
  };
}
