import { definePlugin, type Plugin } from "edgehelm";
import { errors } from "./errors.ts";
import { formalClientBrowserHandlers } from "./handlers.ts";
import * as createFormalClientBrowsers from "./migrations/0001_create_formal_client_browsers.ts";
import manifest from "./plugin.json" with { type: "json" };
import { FormalClientBrowserService } from "./proto/service_formal_client_browser_pb.ts";
import { formalClientBrowserStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_formal_client_browsers": createFormalClientBrowsers },
  setup({ db, serve }) {
    serve(FormalClientBrowserService, formalClientBrowserHandlers(formalClientBrowserStore(db<Tables>())));
  },
});
export default plugin;
