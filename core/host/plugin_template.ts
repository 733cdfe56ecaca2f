import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { KERNEL_VERSION } from "../version.ts";
import { ROOT } from "./settings.ts";

/**
 * The files of a new plugin, by path.
 *
 * @param isOurs whether it lies in the project, whose buf configuration and packages it then uses
 */
export async function pluginTemplate(name: string, isOurs: boolean): Promise<Record<string, string>> {
  const service = `${name.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}Service`;
  const shared = {
    "plugin.json": pluginJson(name, service),
    "plugin.ts": pluginModule(name, service),
    [`service_${name}.proto`]: serviceProto(isOurs ? "pb" : `${name}.v1`, service),
    "README.md": readme(name, service),
  };
  if (isOurs) return shared;
  const { version, dependencies, devDependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  return {
    ...shared,
    [`${name}.test.ts`]: testModule(service, name),
    "package.json": packageJson(name, version, { ...dependencies, ...devDependencies }),
    "buf.gen.yaml": BUF_GEN,
    "proto/options.proto": await readFile(join(ROOT, "proto/options.proto"), "utf8"),
  };
}

function pluginJson(name: string, service: string): string {
  const kernel = `^${KERNEL_VERSION.split(".", 1)[0]}`;
  return `${JSON.stringify({ name, version: "1.0.0", kernel, services: [service], tables: [] }, null, 2)}\n`;
}

function pluginModule(name: string, service: string): string {
  return `import { definePlugin, type Plugin } from "edgehelm";
import manifest from "./plugin.json" with { type: "json" };
import { ${service} } from "./service_${name}_pb.ts";

const plugin: Plugin = definePlugin({
  manifest,
  setup({ serve }) {
    serve(${service}, {
      greet: ({ name }) => ({ greeting: \`hello, \${name}\` }),
    });
  },
});
export default plugin;
`;
}

function serviceProto(protoPackage: string, service: string): string {
  return `syntax = "proto3";

package ${protoPackage};

import "proto/options.proto";

// What the service is for.
service ${service} {
  // Greets by name.
  rpc greet(GreetRequest) returns (GreetResponse) {
    option (edgehelm.allow) = { roles: [ADMIN, USER], effect: READ };
  }
}

// Whom to greet.
message GreetRequest {
  // The name that the greeting repeats.
  string name = 1;
}

// The greeting.
message GreetResponse {
  // A text made of the name.
  string greeting = 1;
}
`;
}

function readme(name: string, service: string): string {
  const sections = {
    Name: `\`${name}\`: what it is, in one line.`,
    Description: `Serves \`${service}\`.`,
    Operations: "- `greet`: greets by name. For admins and users.",
    Config: "None.",
    Example: `\`\`\`json\n{ "use": "./${name}" }\n\`\`\``,
  };
  return `# ${name}\n\n${Object.entries(sections).map(([head, text]) => `## ${head}\n\n${text}\n`).join("\n")}`;
}

function testModule(service: string, name: string): string {
  return `import { as, pluginConformance, testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import plugin from "./plugin.ts";
import { ${service} } from "./service_${name}_pb.ts";

test("greet repeats the name", async () => {
  await using edgehelm = await testKernel({ plugins: [plugin] });
  const { greeting } = await edgehelm.call(as.user(7n), ${service}.method.greet, { name: "Ada" });
  expect(greeting).toBe("hello, Ada");
});

for (const { name, run } of pluginConformance(plugin)) test(name, run);
`;
}

function packageJson(name: string, version: string, pins: Readonly<Record<string, string>>): string {
  const development = ["@bufbuild/buf", "@bufbuild/protobuf", "@bufbuild/protoc-gen-es", "vitest"];
  return `${
    JSON.stringify(
      {
        name: `edgehelm-${name.replaceAll("_", "-")}`,
        version: "1.0.0",
        type: "module",
        peerDependencies: { edgehelm: `>=${version}` },
        devDependencies: Object.fromEntries(development.map((one) => [one, pins[one]])),
      },
      null,
      2,
    )
  }\n`;
}

const BUF_GEN = `version: v2
inputs:
  - directory: .
    exclude_paths: [proto, node_modules]
plugins:
  - local: ["node", "node_modules/@bufbuild/protoc-gen-es/bin/protoc-gen-es"]
    out: .
    opt:
      - target=ts
      - import_extension=ts
      - erasable_syntax=true
      # The shared options come from the host.
      - rewrite_imports=./proto/**:edgehelm
`;
