import { type Call, mayAccessOwner } from "edgehelm";
import { constantMessage } from "edgehelm/wire";
import type { ClusterAccess } from "../plan/contract.ts";
import type { NestedNSCluster } from "./contract.ts";
import { clusterMessage, messageToUser } from "./messages.ts";
import type { NSClusterRow, NSClusterStore } from "./store.ts";

type ById = ReadonlyMap<bigint, NestedNSCluster>;

interface KeptMessage {
  readonly version: bigint;
  readonly message: NestedNSCluster;
}

/** The maximum number of messages in memory; beyond it, all are dropped. */
const MAX_KEPT = 1000;

/**
 * Supplies the clusters inside other objects. What admins see is kept in memory until the version of the cluster
 * changes: it holds every configuration, and a page of domains contains the same cluster many times.
 */
export class NestedClusters {
  readonly #clusters: NSClusterStore;
  readonly #access: ClusterAccess;
  readonly #kept = new Map<bigint, KeptMessage>();

  constructor(clusters: NSClusterStore, access: ClusterAccess) {
    this.#clusters = clusters;
    this.#access = access;
  }

  async of(call: Call, ids: readonly bigint[]): Promise<ById> {
    if (!mayAccessOwner(call.caller, 0n)) return await this.#ofUser(call, ids);
    // a transaction that is rolled back leaves its version to another change
    if (call.inTransaction) return byId((await this.#clusters.ofIds(call, ids)).map(clusterMessage));
    const current = await this.#clusters.summariesOf(call, ids);
    const changedIds = current.filter(({ id, configVersion }) => this.#kept.get(id)?.version !== configVersion)
      .map(({ id }) => id);
    const changed = byId((await this.#clusters.ofIds(call, changedIds)).map((row) => this.#keep(row)));
    return byId(current.flatMap(({ id }) => changed.get(id) ?? this.#kept.get(id)?.message ?? []));
  }

  async #ofUser(call: Call, ids: readonly bigint[]): Promise<ById> {
    const messages = (await this.#clusters.summariesOf(call, ids))
      .map(async (row) => await messageToUser(call, this.#access, row) ?? { id: row.id });
    return byId(await Promise.all(messages));
  }

  #keep(row: NSClusterRow): NestedNSCluster {
    const message = constantMessage(clusterMessage(row));
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(row.id, { version: row.configVersion, message });
    return message;
  }
}

function byId(messages: readonly NestedNSCluster[]): ById {
  return new Map(messages.map((message) => [message.id, message]));
}
