import type { HttpCall } from "../load/http_call.ts";
import { runWrk } from "../load/wrk.ts";
import type { Measurement } from "../suite.ts";

/** The median latency of calls that are made one after the other over one connection. */
export function callLatencyMeasurement(
  name: string,
  port: () => number,
  call: () => HttpCall,
  seconds: number,
): Measurement {
  return {
    figures: [{ name, unit: "ms" }],
    async measure() {
      return [(await runWrk({ port: port(), connections: 1, seconds }, call())).p50];
    },
  };
}
