import { definePlugin, type Plugin } from "edgehelm";
import manifest from "./plugin.json" with { type: "json" };
import { HelloWorldService } from "./proto/service_hello_world_pb.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  setup({ serve }) {
    serve(HelloWorldService, {
      sayHello: ({ id, name }) => ({ result: `hello, ${name} (${id})` }),
    });
  },
});
export default plugin;
