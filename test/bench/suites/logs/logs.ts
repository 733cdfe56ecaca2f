import type { Bench, BenchOptions, Suite } from "../../suite.ts";
import { openLogsApi } from "./api.ts";
import { openIntake } from "./intake.ts";
import { openLogStore } from "./store.ts";

/** Access logs: through the API of a server, and the store of segments by itself, beside tables and DuckDB. */
export const logs: Suite = {
  async open(options) {
    const parts = [await openLogsApi(options), await openLogStore(options), openIntake(options)];
    return {
      measurements: parts.flatMap(({ measurements }) => measurements),
      async [Symbol.asyncDispose]() {
        for (const part of parts) await part[Symbol.asyncDispose]();
      },
    };
  },
  async openForComparison(options: BenchOptions): Promise<Bench> {
    const { server, ...bench } = await openLogsApi(options);
    await server.stop();
    return { ...bench, begin: () => server.start(), end: () => server.stop() };
  },
};
