import type { Call, TokenRole } from "../base/call.ts";
import type { CredentialSource } from "./credentials.ts";
import type { SealedSecrets } from "./sealed_secrets.ts";

/** What must be known of a node to let it in. */
export interface NodeCredentialRow {
  readonly id: bigint;
  readonly isOn: bigint;
  /** Sealed for the node's uniqueId. */
  readonly secret: string;
}

/** How a plugin finds its nodes; those that are deleted are not found. */
export interface NodeCredentialStore {
  readonly byUniqueId: { first(call: Call, by: { uniqueId: string }): Promise<NodeCredentialRow | undefined> };
  readonly byId: { first(call: Call, by: { id: bigint }): Promise<NodeCredentialRow | undefined> };
}

/**
 * Exchanges the uniqueId and secret of nodes for tokens, which stay good as long as the node is there and on.
 *
 * @param name the plugin's name
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
