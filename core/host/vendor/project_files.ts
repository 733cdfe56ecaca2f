import { PROGRAM_VERSION } from "../../base/version.ts";
import { TOOL_VERSIONS } from "./tool_versions.ts";

/** Returns the files by which npm, Deno, buf and editors work with a new plugin. */
export function projectFiles(packageName: string): Record<string, string> {
  return {
    "package.json": json({
      name: packageName,
      version: "0.1.0",
      type: "module",
      engines: { node: ">=22.18" },
      scripts: {
        check: "tsc && edgehelm plugin check",
        gen: "edgehelm plugin gen",
        test: "node --test",
        dev: "edgehelm dev dev.json",
        pack: "edgehelm pack . dist",
      },
      devDependencies: { edgehelm: `^${PROGRAM_VERSION}`, ...TOOL_VERSIONS },
    }),
    "dev.json": json({
      plugins: ["admin", "api_access_token", "user_access_key", "openapi", "./"].map((use) => ({ use })),
    }),
    "deno.json": json({ tasks: { test: "deno test -A" } }),
    "tsconfig.json": json({
      compilerOptions: {
        target: "es2024",
        module: "nodenext",
        types: ["node"],
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        resolveJsonModule: true,
        verbatimModuleSyntax: true,
        erasableSyntaxOnly: true,
        allowImportingTsExtensions: true,
      },
      exclude: ["dist"],
    }),
    "buf.yaml": BUF_MODULES,
    ".gitignore": "node_modules/\ndist/\ndata/\n",
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

const BUF_MODULES = `version: v2
modules:
  - path: proto
  - path: node_modules/edgehelm
    includes:
      - node_modules/edgehelm/proto
`;
