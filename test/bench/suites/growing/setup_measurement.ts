import type { Installation } from "../../installation/installation.ts";
import type { TemporaryFolder } from "../../installation/temporary_folder.ts";
import { GrpcLoad } from "../../load/h2load.ts";
import { runWrk } from "../../load/wrk.ts";
import { cpuMicrosecondsOf } from "../../report/processor_time.ts";
import type { Figure } from "../../report/figure.ts";
import type { Measurement } from "../../suite.ts";
import type { Target } from "./targets.ts";

/** Callers of each instance, with one call in flight each. */
const CONNECTIONS = 16;

/** Instances that serve one database, and the server of that database if it has one. */
export interface Setup {
  readonly name: string;
  readonly instances: readonly Installation[];
  readonly sqld?: { readonly pid: number };
}

/** Calls that one load made. */
interface Loaded {
  readonly calls: number;
  readonly wrong: number;
}

/** Calls a second of all instances together, and what one call costs them and the database server. */
export function setupMeasurement(
  setup: Setup,
  target: Target,
  wire: "http" | "grpc",
  seconds: number,
  folder: TemporaryFolder,
): Measurement {
  const { instances, sqld } = setup;
  const name = `${setup.name}_${wire}_${target.name}`;
  const figures: Figure[] = [{ name: `${name}_rate`, unit: "per s" }, { name: `${name}_cpu`, unit: "us" }];
  if (sqld !== undefined) {
    // a machine without a core to spare makes instances refuse calls, since they cannot check tokens in time
    figures.push({ name: `${name}_sqld_cpu`, unit: "us" }, { name: `${name}_errors`, unit: "%" });
  }
  const isOnSqld = sqld !== undefined;
  const load = wire === "http"
    ? (instance: Installation) => httpLoad(instance, target, seconds, isOnSqld)
    : (instance: Installation) =>
      grpcLoad(
        instance,
        target,
        target.grpcRate[isOnSqld ? "sqld" : "file"] * seconds / instances.length,
        folder,
        isOnSqld,
      );
  return {
    figures,
    async measure() {
      const used = () => instances.reduce((sum, { server }) => sum + server.cpuMicroseconds(), 0);
      const usedBySqld = () => sqld === undefined ? 0 : cpuMicrosecondsOf(sqld.pid);
      const [started, before, beforeBySqld] = [performance.now(), used(), usedBySqld()];
      const loads = await Promise.all(instances.map(load));
      const elapsed = (performance.now() - started) / 1000;
      const calls = loads.reduce((sum, one) => sum + one.calls, 0);
      const wrong = loads.reduce((sum, one) => sum + one.wrong, 0);
      const values = [calls / elapsed, (used() - before) / calls];
      return isOnSqld ? [...values, (usedBySqld() - beforeBySqld) / calls, wrong / calls * 100] : values;
    },
  };
}

async function httpLoad(
  { httpPort: port, headers }: Installation,
  { operation, body, expected }: Target,
  seconds: number,
  mayFail: boolean,
): Promise<Loaded> {
  const call = { path: `/${operation}`, headers, body, expected, mayFail };
  return await runWrk({ port, connections: CONNECTIONS, seconds }, call);
}

async function grpcLoad(
  { grpcPort: port, headers }: Installation,
  { operation, message }: Target,
  calls: number,
  folder: TemporaryFolder,
  mayFail: boolean,
): Promise<Loaded> {
  const load = new GrpcLoad({ path: `/pb.${operation}`, headers, message, mayFail }, folder);
  await load.run({ port, connections: CONNECTIONS, streams: 1, calls: Math.ceil(calls) });
  return { calls: Math.ceil(calls), wrong: 0 };
}
