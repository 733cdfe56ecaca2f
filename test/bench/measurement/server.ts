import type { ServerProcess } from "../installation/server_process.ts";
import type { Measurement } from "../suite.ts";

/** The memory of a server after the loads before. */
export function memoryMeasurement(name: string, server: () => ServerProcess): Measurement {
  return {
    figures: [{ name, unit: "MB" }],
    warmUp: () => Promise.resolve(),
    measure: () => Promise.resolve([server().residentMegabytes()]),
  };
}

/** The time from the start of a server's process until it listened. */
export function startMeasurement(name: string, server: () => ServerProcess): Measurement {
  return {
    figures: [{ name, unit: "ms" }],
    warmUp: () => Promise.resolve(),
    measure: () => Promise.resolve([server().startMilliseconds]),
  };
}
