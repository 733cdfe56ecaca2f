import type { HttpCall } from "../load/http_call.ts";
import { runWrk } from "../load/wrk.ts";
import { NoCallEndedError } from "../load/wrk_output.ts";
import type { Measurement } from "../suite.ts";

/** How many times longer a load lasts in which no call ended. */
const LONGER = 20;

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
      const load = { port: port(), connections: 1, seconds };
      try {
        return [(await runWrk(load, call())).p50];
      } catch (error) {
        if (!(error instanceof NoCallEndedError)) throw error;
        return [(await runWrk({ ...load, seconds: seconds * LONGER }, call())).p50];
      }
    },
  };
}
