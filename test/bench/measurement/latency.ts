import { median } from "../report/statistics.ts";
import type { Measurement } from "../suite.ts";

/**
 * The median time of some calls within this process, one after the other.
 *
 * @param run is given a number that grows from call to call
 */
export function latencyMeasurement(name: string, times: number, run: (turn: number) => Promise<unknown>): Measurement {
  let turn = 0;
  return {
    figures: [{ name, unit: "ms" }],
    async measure() {
      const milliseconds: number[] = [];
      for (let call = 0; call < times; call++) {
        const started = performance.now();
        await run(turn++);
        milliseconds.push(performance.now() - started);
      }
      return [median(milliseconds)];
    },
  };
}
