import { definePlugin, type Plugin } from "edgehelm";
import { formalClientBrowserHandlers } from "./handlers.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { FormalClientBrowserService } from "./proto/service_formal_client_browser_pb.ts";
import { formalClientBrowserStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  migrations,
  setup({ db, serve }) {
    serve(FormalClientBrowserService, formalClientBrowserHandlers(formalClientBrowserStore(db<Tables>())));
  },
});
export default plugin;
