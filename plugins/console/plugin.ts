import { definePlugin, type Plugin } from "edgehelm";
import { ServedApi } from "edgehelm/runtime";
import { consolePages } from "./pages.ts";
import manifest from "./plugin.json" with { type: "json" };

const plugin: Plugin = definePlugin({
  manifest,
  requires: { api: ServedApi },
  setup({ route, deps: { api } }) {
    route("/", () => new Response(null, { status: 302, headers: { location: "/console" } }));
    for (const [path, page] of consolePages(api)) route(path, page);
  },
});
export default plugin;
