import type { NSDNSSECKeySet } from "../../ns_dnssec/proto/service_ns_dnssec_pb.ts";
import type { Api } from "./api.ts";
import { feedAfter } from "./pulls.ts";
import type { KeySet, NodeState } from "./store/node_state.ts";

const MAX_DOMAINS = 100;

/**
 * Fetches the key sets that changed after a version, or all of them in place of those that the node has.
 *
 * @returns the last version, and the domains whose key sets may have changed
 */
export async function takeKeySets(
  api: Api,
  state: NodeState,
  isAnew: boolean,
): Promise<{ readonly last: bigint; readonly changed: ReadonlySet<string> }> {
  let last = isAnew ? 0n : BigInt(state.positions.dnssec);
  const changed = new Set<string>(isAnew ? state.keySets.keys() : []);
  const sets = new Map(isAnew ? [] : state.keySets);
  const list = async (version: bigint, size: bigint) =>
    (await api.dnssec.listNSDNSSECKeysAfterVersion({ version, size }, { signal: api.signal })).nsDNSSECKeySets;
  for await (const page of feedAfter(last, list)) {
    for (const one of page) {
      last = one.version;
      const id = String(one.nsDomainId);
      changed.add(id);
      if (one.isDeleted) sets.delete(id);
      else sets.set(id, keySetOf(one));
    }
  }
  state.saveKeySets(sets);
  return { last, changed };
}

/** Fetches the present key sets of domains that the node is about to serve. */
export async function takeKeySetsOf(api: Api, state: NodeState, ids: readonly string[]): Promise<void> {
  const sets = new Map(state.keySets);
  for (let at = 0; at < ids.length; at += MAX_DOMAINS) {
    const some = ids.slice(at, at + MAX_DOMAINS);
    const { nsDNSSECKeySets } = await api.dnssec.listNSDNSSECKeysOfDomains(
      { nsDomainIds: some.map(BigInt) },
      { signal: api.signal },
    );
    for (const id of some) sets.delete(id);
    for (const one of nsDNSSECKeySets) sets.set(String(one.nsDomainId), keySetOf(one));
  }
  state.saveKeySets(sets);
}

function keySetOf({ keys }: NSDNSSECKeySet): KeySet {
  return {
    keys: keys.map(({ role, algorithm, privateKey, publishAt, activeAt, retireAt, removeAt }) => ({
      ...{ role, algorithm, privateKey },
      publishAt: Number(publishAt),
      activeAt: Number(activeAt),
      retireAt: Number(retireAt),
      removeAt: Number(removeAt),
    })),
  };
}
