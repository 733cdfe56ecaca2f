import { constantTimeEqual, type CredentialSource, newAccessKeySecret, type Sealer } from "edgehelm";
import type { NodeStore } from "./store.ts";
import type { NodeRow } from "./store_tables.ts";

const DECOY = "decoy";

/** How the secrets of nodes rest in the table: sealed for their node. */
export class NodeSecrets {
  readonly #sealer: Sealer;
  readonly #decoy: string;

  private constructor(sealer: Sealer, decoy: string) {
    this.#sealer = sealer;
    this.#decoy = decoy;
  }

  static async create(sealer: Sealer): Promise<NodeSecrets> {
    return new NodeSecrets(sealer, await sealer.seal(newAccessKeySecret(), place(DECOY)));
  }

  /** A new secret for a node, as the table keeps it. */
  sealNew(uniqueId: string): Promise<string> {
    return this.#sealer.seal(newAccessKeySecret(), place(uniqueId));
  }

  reveal({ uniqueId, secret }: NodeRow): Promise<string> {
    return this.#sealer.open(secret, place(uniqueId));
  }

  /** Whether the secret is the node's; costs the same when there is no node. */
  async matches(row: NodeRow | undefined, secret: string): Promise<boolean> {
    const kept = await this.#sealer.open(row?.secret ?? this.#decoy, place(row?.uniqueId ?? DECOY));
    return await constantTimeEqual(kept, secret) && row !== undefined;
  }
}

function place(uniqueId: string) {
  return { table: "nodes", column: "secret", row: uniqueId };
}

/** Exchanges uniqueId and secret of a node for tokens, and says how long these stay good. */
export function nodeCredentials(nodes: NodeStore, secrets: NodeSecrets): CredentialSource {
  return {
    name: "node",
    roles: ["node"],

    async verify(call, _role, uniqueId, secret) {
      const row = await nodes.byUniqueId.first(call, { uniqueId });
      const matches = await secrets.matches(row, secret);
      return matches && row?.isOn === 1n ? { subjectId: row.id, keyId: row.id } : undefined;
    },

    async isLive(call, _role, { subjectId }) {
      return (await nodes.byId.first(call, { id: subjectId }))?.isOn === 1n;
    },
  };
}
