import { definePlugin, type Plugin } from "edgehelm";
import { keptPage, ServedApi } from "edgehelm/runtime";
import { openApiDocument, sourcesOf } from "./document.ts";
import { jsonSchemas } from "./json_schemas.ts";
import { llmsText } from "./llms_text.ts";

import manifest from "./plugin.json" with { type: "json" };
import { OpenApiConfigSchema } from "./proto/config_pb.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  config: OpenApiConfigSchema,
  requires: { api: ServedApi },
  setup({ config, route, deps: { api } }) {
    const json = "application/json; charset=utf-8";
    const text = "text/plain; charset=utf-8";
    route("/openapi.json", keptPage(json, async () => openApiDocument(api, await sourcesOf(api), config)));
    route("/schemas.json", keptPage(json, async () => jsonSchemas(api, await api.comments())));
    route("/llms.txt", keptPage(text, async () => llmsText(api, await api.comments())));
  },
});
export default plugin;
