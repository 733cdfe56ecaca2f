import type { ServerProcess } from "../installation/server_process.ts";
import type { HttpCall } from "../load/http_call.ts";
import { runWrk } from "../load/wrk.ts";
import { cpuFigure, rateFigure } from "../report/figure.ts";
import type { Measurement } from "../suite.ts";

export interface HttpLoad {
  readonly connections: number;
  readonly seconds: number;
}

/** Processor time per call and calls a second of one kind of call; both arguments are asked for again before every load. */
export function httpMeasurement(
  name: string,
  server: () => ServerProcess,
  call: () => HttpCall,
  load: HttpLoad,
): Measurement {
  return {
    figures: [cpuFigure(name), rateFigure(name)],
    async measure() {
      const { cpu, rate } = await measureHttp(server(), call(), load);
      return [cpu, rate];
    },
  };
}

export async function measureHttp(server: ServerProcess, call: HttpCall, load: HttpLoad) {
  const before = server.cpuMicroseconds();
  const { calls, seconds } = await runWrk({ port: server.port, ...load }, call);
  return { cpu: (server.cpuMicroseconds() - before) / calls, rate: calls / seconds };
}
