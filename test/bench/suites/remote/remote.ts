import { createClient } from "@libsql/client/web";
import { testKernel } from "edgehelm/testing";
import { systemClock } from "../../../../core/base/clock.ts";
import { LocalReplica } from "../../../../core/host/replica/local_replica.ts";
import { createLogger, type Logger } from "../../../../core/base/log.ts";
import { openRemoteEngine } from "../../../../core/storage/remote/engine.ts";
import nsCluster from "../../../../plugins/ns_cluster/plugin.ts";
import nsDomain from "../../../../plugins/ns_domain/plugin.ts";
import nsDomainGroup from "../../../../plugins/ns_domain_group/plugin.ts";
import user from "../../../../plugins/user/plugin.ts";
import { startSqld } from "../../installation/sqld.ts";
import { TemporaryFolder } from "../../installation/temporary_folder.ts";
import type { Suite } from "../../suite.ts";
import { operationPairs } from "./operation_pairs.ts";
import { roundTripMeasurement, speedMeasurement } from "./speed_measurement.ts";

const IN_FLIGHT = [1, 16, 128];
/** Replicas are measured with so many calls in flight. */
const REPLICA_IN_FLIGHT = 16;
const REPLICA = { token: undefined, maxAgeMilliseconds: 1000 };

/**
 * Finding, listing and creating on a libSQL server, in this process, by turns with @libsql/client doing the same
 * statements.
 */
export const remote: Suite = {
  async open({ seconds, progress }) {
    const stack = new AsyncDisposableStack();
    const folder = stack.use(new TemporaryFolder());
    progress.note("starting sqld");
    const { url } = stack.use(await startSqld(folder));
    const engine = await openRemoteEngine({ url });
    const hosts = {
      ns_domain: { txt: () => Promise.resolve([]), ns: () => Promise.resolve([]), ds: () => Promise.resolve([]) },
    };
    const plugins = [nsDomainGroup, nsCluster, nsDomain, user];
    const directory = folder.path;
    const edgehelm = await testKernel({ plugins, engine, hosts, directory });
    stack.defer(() => edgehelm.stop());
    const { log, used } = untilUsed();
    const replica = new LocalReplica({ directory: folder.unique("replica"), url, log, ...REPLICA });
    const nearbyEngine = await openRemoteEngine({ url, replica });
    const nearby = await testKernel({ plugins, engine: nearbyEngine, hosts, directory });
    stack.defer(() => nearby.stop());
    const client = createClient({ url, intMode: "bigint", concurrency: 128 });
    const pairs = await operationPairs({ edgehelm, engine, nearby, client });
    progress.note("waiting until the replica is used");
    await used;
    return {
      measurements: pairs.flatMap(({ name, ours, nearby, client }) => [
        roundTripMeasurement(name, engine, ours),
        ...IN_FLIGHT.map((inFlight) => speedMeasurement(`${name}_${inFlight}`, ours, client, inFlight, seconds)),
        ...nearby === undefined ? [] : [
          roundTripMeasurement(`${name}_replica`, nearbyEngine, nearby),
          speedMeasurement(`${name}_replica_${REPLICA_IN_FLIGHT}`, nearby, client, REPLICA_IN_FLIGHT, seconds),
        ],
      ]),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  },
};

/** A log for a replica, and a promise of its use. */
function untilUsed(): { readonly log: Logger; readonly used: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const write = (line: string) => line.includes('"replica in use"') && resolve();
  return { log: createLogger({ level: "info", write, clock: systemClock }), used: promise };
}
