import { definePlugin } from "edgehelm";
import { testKernel } from "edgehelm/testing";
import type { LogStore } from "../../../../plugins/http_access_log/contract/log_store.ts";
import { migrations } from "../../../../plugins/http_access_log/migrations/mod.ts";
import manifest from "../../../../plugins/http_access_log/plugin.json" with { type: "json" };
import type { Tables } from "../../../../plugins/http_access_log/rows/store_tables.ts";
import { rowLogStore } from "../../../../plugins/http_access_log/rows/store.ts";
import { TEST_DATABASE } from "../../../harness/database.ts";
import { logStoreSuite } from "./suite.ts";

logStoreSuite("rows", async ({ partitionRows }) => {
  let store: LogStore | undefined;
  const plugin = definePlugin({
    manifest: { ...manifest, services: [] },
    migrations,
    setup({ db }) {
      store = rowLogStore(db<Tables>(), partitionRows);
    },
  });
  const edgehelm = await testKernel({ plugins: [plugin] });
  return {
    store: store!,
    call: () => edgehelm.kernel.systemCall("test"),
    [Symbol.asyncDispose]: () => edgehelm[Symbol.asyncDispose](),
  };
}, { rows: TEST_DATABASE === "file" ? 10_000 : 3000 });
