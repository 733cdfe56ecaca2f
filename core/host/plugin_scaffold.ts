import { KERNEL_VERSION } from "../version.ts";

/** The files of a new plugin, which boots as it is. */
export function scaffold(name: string): Record<string, string> {
  const manifest = { name, version: "0.1.0", kernel: `^${KERNEL_VERSION.split(".")[0]}`, services: [], tables: [] };
  return {
    "plugin.json": `${JSON.stringify(manifest, undefined, 2)}\n`,
    "plugin.ts": `import { definePlugin, type Plugin } from "edgehelm";
import manifest from "./plugin.json" with { type: "json" };

const plugin: Plugin = definePlugin({
  manifest,
  setup({ log, route }) {
    route("/${name}", () => new Response("hello from ${name}\\n"));
    log.info("set up");
  },
});
export default plugin;
`,
    "README.md": `# ${name}

## Name

${name}

## Description

What it is for.

## Operations

None yet: GET /${name} answers a line of text.

## Config

None.

## Example

\`\`\`sh
curl http://127.0.0.1:8080/${name}
\`\`\`
`,
  };
}
