import type { ServerProcess } from "../installation/server_process.ts";
import type { GrpcLoad } from "../load/h2load.ts";
import { cpuFigure, rateFigure } from "../report/figure.ts";
import type { Measurement } from "../suite.ts";

export interface GrpcTarget {
  readonly server: ServerProcess;
  readonly port: number;
  readonly load: GrpcLoad;
}

/** 128 calls in flight. */
const FLIGHT = { connections: 8, streams: 16 };

/** Processor time per call and calls a second of one kind of call; the target is asked for again before every load. */
export function grpcMeasurement(name: string, calls: number, target: () => GrpcTarget): Measurement {
  return {
    figures: [cpuFigure(name), rateFigure(name)],
    async measure() {
      const { server, port, load } = target();
      const before = server.cpuMicroseconds();
      const { perSecond } = await load.run({ port, calls, ...FLIGHT });
      return [(server.cpuMicroseconds() - before) / calls, perSecond];
    },
  };
}

/** The latency that 99 of 100 calls stay under at half of the rate that the server is capable of. */
export function grpcLatencyMeasurement(name: string, calls: number, target: () => GrpcTarget): Measurement {
  return {
    figures: [{ name, unit: "ms" }],
    async measure() {
      const { port, load } = target();
      const { perSecond } = await load.run({ port, calls, ...FLIGHT });
      return [await load.p99At(perSecond / 2, { port, calls, ...FLIGHT })];
    },
  };
}
