import { definePlugin, type Plugin } from "edgehelm";
import { conformanceHandlers } from "./handlers.ts";
import { ConformanceService } from "./proto/conformance_pb.ts";
import manifest from "./plugin.json" with { type: "json" };

/** The service of the Connect conformance suite, as a vendor would write it. */
const plugin: Plugin = definePlugin({
  manifest,
  setup({ serve }) {
    // The suite compares the details of errors with those that it asked for.
    serve(ConformanceService, conformanceHandlers(), { errorInfo: false });
  },
});
export default plugin;
