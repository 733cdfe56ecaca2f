import type { Installation } from "./installation.ts";

const BATCH = 500;

/** Domains that were created through the API. */
export interface Domains {
  readonly nsClusterId: number;
  /** The range of their ids, which has no gaps. */
  readonly firstId: number;
  readonly lastId: number;
}

/** Creates a cluster with this many domains named `d<n>.bench-domain.test`. */
export async function createDomains(installation: Installation, count: number): Promise<Domains> {
  const cluster = { name: `bench ${crypto.randomUUID()}`, hosts: ["ns1.bench.test"] };
  const { nsClusterId } = await installation.call<{ nsClusterId: number }>(
    "/NSClusterService/createNSCluster",
    cluster,
  );
  const ids: number[] = [];
  for (let start = 0; start < count; start += BATCH) {
    const length = Math.min(BATCH, count - start);
    const names = Array.from({ length }, (_, index) => `d${start + index}.bench-domain.test`);
    const request = { nsClusterId, names };
    const path = "/NSDomainService/createNSDomains";
    const { nsDomainIds } = await installation.call<{ nsDomainIds: (number | string)[] }>(path, request);
    ids.push(...nsDomainIds.map(Number));
  }
  const [firstId, lastId] = [ids[0]!, ids.at(-1)!];
  if (lastId - firstId !== count - 1) throw new Error("the ids of new domains have gaps");
  return { nsClusterId, firstId, lastId };
}
