import { KERNEL_VERSION } from "../../base/version.ts";
import type { ScaffoldNames } from "./scaffold_names.ts";
import { commentsText, generatedText, protoText } from "./plugin_scaffold_proto.ts";
import { projectFiles } from "./project_files.ts";

/** Returns the files of a new plugin by path. The plugin works and passes its own test unchanged. */
export function scaffold(plugin: string, packageName: string): Record<string, string> {
  const service = `${plugin.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}Service`;
  const names = { plugin, service };
  return {
    "plugin.json": json({
      name: plugin,
      version: "0.1.0",
      kernel: `^${KERNEL_VERSION.split(".")[0]}`,
      services: [service],
      tables: [],
      contributes: [],
      routes: [],
      modules: [{ code: plugin, name: plugin }],
    }),
    "plugin.ts": pluginText(names),
    "handlers.ts": handlersText(names),
    [`proto/service_${plugin}.proto`]: protoText(names),
    [`proto/service_${plugin}_pb.ts`]: generatedText(names),
    "proto/comments_pb.ts": commentsText(names),
    [`test/${plugin}.test.ts`]: testText(names),
    ...projectFiles(packageName),
    "README.md": readmeText(names),
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function pluginText({ plugin, service }: ScaffoldNames): string {
  return `import { definePlugin, type Plugin } from "edgehelm";
import { handlers } from "./handlers.ts";
import manifest from "./plugin.json" with { type: "json" };
import { ${service} } from "./proto/service_${plugin}_pb.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  setup({ serve }) {
    serve(${service}, handlers);
  },
});
export default plugin;
`;
}

function handlersText({ plugin, service }: ScaffoldNames): string {
  return `import { type Handlers, textField } from "edgehelm";
import type { ${service} } from "./proto/service_${plugin}_pb.ts";

export const handlers: Handlers<typeof ${service}> = {
  greet({ name }, call) {
    return { text: \`hello, \${textField("name", name, { min: 1, max: 100 })}, you are \${call.caller.role}\` };
  },
};
`;
}

function testText({ plugin, service }: ScaffoldNames): string {
  return `import { equal, rejects } from "node:assert/strict";
import { test } from "node:test";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import plugin from "../plugin.ts";
import { ${service} } from "../proto/service_${plugin}_pb.ts";

/** Runs a test with an installation of its own. */
async function withPlugin(run: (edgehelm: TestKernel) => Promise<void>): Promise<void> {
  const edgehelm = await testKernel({ plugins: [plugin], admins: { 2: ["${plugin}"], 3: [] } });
  try {
    await run(edgehelm);
  } finally {
    await edgehelm[Symbol.asyncDispose]();
  }
}

test("greet returns a greeting with the name over every protocol", () =>
  withPlugin(async (edgehelm) => {
    for (const wire of ["http", "connect", "grpcweb"] as const) {
      const { text } = await edgehelm.call(as.user(7n), ${service}.method.greet, { name: "Ada" }, wire);
      equal(text, "hello, Ada, you are user");
    }
  }));

test("greet is for admins with the module ${plugin}", () =>
  withPlugin(async (edgehelm) => {
    const greet = (adminId: bigint) => edgehelm.call(as.admin(adminId), ${service}.method.greet, { name: "Ada" });
    equal((await greet(2n)).text, "hello, Ada, you are admin");
    await rejects(greet(3n), { code: 403, reason: "kernel.module_required" });
  }));

test("greet refuses a caller without a token", () =>
  withPlugin(async (edgehelm) => {
    await rejects(edgehelm.call(as.anonymous(), ${service}.method.greet, { name: "Ada" }), { code: 401 });
  }));
`;
}

function readmeText({ plugin, service }: ScaffoldNames): string {
  return `# ${plugin}

## Name

\`${plugin}\`

## Description

Describe the purpose of the plugin here.

## Operations

- \`greet\`: returns a greeting with a name in it. Roles: admin with the module \`${plugin}\`, user.

## Config

None.

## Example

\`\`\`sh
curl -H "X-Cloud-Access-Token: $TOKEN" http://127.0.0.1:8080/${service}/greet -d '{"name": "Ada"}'
\`\`\`

## Development

Code beside the \`.proto\` files is generated. \`npm install\` and \`npm run <script>\`, or \`deno install\` and
\`deno task <script>\`:

| script    | what it does                                                         |
| --------- | -------------------------------------------------------------------- |
| \`check\` | checks types, and what every plugin must satisfy                     |
| \`gen\`   | generates code after a change in \`proto\`                           |
| \`test\`  | runs the tests                                                       |
| \`dev\`   | serves the plugins of \`dev.json\`, and takes up changes when you save  |
| \`pack\`  | makes the package to publish, in \`dist\`, a folder that is not there yet |
`;
}
