import type { Bench, Suite } from "../../suite.ts";
import { openLogsApi } from "./api.ts";
import { openIntake } from "./intake.ts";
import { openLogStore } from "./store.ts";

/** Access logs: through the API of a server, and the store of segments by itself, beside tables and DuckDB. */
export const logs: Suite = {
  async open(options) {
    const { begin, end: _, ...api } = openLogsApi(options);
    options.progress.note("sending access logs");
    await begin();
    const parts: Bench[] = [api, await openLogStore(options), openIntake(options)];
    return {
      measurements: parts.flatMap(({ measurements }) => measurements),
      async [Symbol.asyncDispose]() {
        for (const part of parts) await part[Symbol.asyncDispose]();
      },
    };
  },
  openForComparison: (options) => Promise.resolve(openLogsApi(options)),
};
