import { definePlugin, optional, type Plugin } from "edgehelm";
import { Admins } from "../admin/contract.ts";
import { Users } from "../user/contract.ts";
import { logHandlers } from "./handlers.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { LogService } from "./proto/service_log_pb.ts";
import { logStore, logTexts, type Tables } from "./store.ts";
import { logSearch } from "./store_search.ts";

const plugin: Plugin = definePlugin({
  manifest,
  migrations,
  requires: { admins: optional(Admins), users: optional(Users) },
  setup({ db, clock, deps, serve, every }) {
    const tables = db<Tables>();
    const texts = logTexts(tables);
    const parts = { logs: logStore(tables, texts), search: logSearch(tables, texts), clock, ...deps };
    serve(LogService, logHandlers(parts));
    every({ name: "index", everySeconds: 10, run: (call) => texts.catchUp(call) });
  },
});
export default plugin;
