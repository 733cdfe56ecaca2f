import { TestClock, testKernel } from "edgehelm/testing";
import { describe } from "vitest";
import { openClickHouse } from "../../../plugins/access_log_clickhouse/host/store.ts";
import { createLogger } from "../../../core/base/log.ts";
import { clickHouseRuns, ClickHouseServer } from "../../servers/clickhouse.ts";
import { logStoreSuite } from "../http_access_log/stores/suite.ts";

describe.runIf(clickHouseRuns())("a real ClickHouse server", () => {
  logStoreSuite("clickhouse", async ({ partitionRows }) => {
    const server = await ClickHouseServer.start();
    const clock = new TestClock();
    const log = createLogger({ level: "silent", write: () => {}, clock });
    const { store, close } = openClickHouse(server.address, { clock, log, partitionRows });
    const edgehelm = await testKernel({ plugins: [] });
    return {
      store,
      call: () => edgehelm.kernel.systemCall("test"),
      async [Symbol.asyncDispose]() {
        await edgehelm[Symbol.asyncDispose]();
        await close();
        await server[Symbol.asyncDispose]();
      },
    };
  }, { rows: 10_000 });
});
