import { definePlugin, optional, type Plugin } from "edgehelm";
import { Admins } from "../admin/contract.ts";
import { Users } from "../user/contract.ts";
import { logHandlers } from "./handlers.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { LogService } from "./proto/service_log_pb.ts";
import { logStore, logTextIndex, type Tables } from "./store.ts";
import { logSearch } from "./store_search.ts";

const plugin: Plugin = definePlugin({
  manifest,
  migrations,
  requires: { admins: optional(Admins), users: optional(Users) },
  setup({ db, clock, deps, serve, every }) {
    const tables = db<Tables>();
    const index = logTextIndex(tables);
    const logs = logStore(tables, index);
    const search = logSearch(tables, index);
    serve(LogService, logHandlers({ logs, search, clock, ...deps }));
    every({ name: "index", everySeconds: 10, run: (call) => index.catchUp(call) });
  },
});
export default plugin;
