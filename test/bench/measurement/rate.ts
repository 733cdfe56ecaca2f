import type { HttpCall } from "../load/http_call.ts";
import { runWrk } from "../load/wrk.ts";
import { rateFigure } from "../report/figure.ts";
import type { Measurement } from "../suite.ts";
import type { HttpLoad } from "./http.ts";

/** Things a second that calls of one kind do. */
export function rateMeasurement(
  name: string,
  port: () => number,
  call: HttpCall,
  load: HttpLoad,
  thingsPerCall = 1,
): Measurement {
  return {
    figures: [rateFigure(name)],
    async measure() {
      const { calls, seconds } = await runWrk({ port: port(), ...load }, call);
      return [calls * thingsPerCall / seconds];
    },
  };
}
