import type { Api } from "../api.ts";
import { feedAfter } from "../pulls.ts";
import type { NodeState } from "../store/node_state.ts";

/** Fetches the routes that changed, or all of them in place of those that the node has. Returns the last version. */
export async function takeRoutes(api: Api, state: NodeState, isAnew: boolean): Promise<bigint> {
  let last = isAnew ? 0n : BigInt(state.positions.routes);
  if (isAnew) state.routes.clear();
  const list = async (version: bigint, size: bigint) =>
    (await api.routes.listNSRoutesAfterVersion({ version, size }, { signal: api.signal })).nsRoutes;
  for await (const routes of feedAfter(last, list)) {
    for (const { id: number, code, isOn, isDeleted, priority, order, rangesJSON, version } of routes) {
      last = version;
      const id = String(number);
      const ranges = new TextDecoder().decode(rangesJSON);
      if (isDeleted || !isOn) state.routes.delete(id);
      else state.routes.set(id, { id, code, priority, order, ranges });
    }
  }
  state.saveRoutes();
  return last;
}
