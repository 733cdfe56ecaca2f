import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Workshop } from "./workshop.ts";

/** Tests the packed project. */
export function packageTests(opened: () => Workshop): void {
  let workshop: Workshop;
  let files: string[];
  beforeAll(async () => {
    workshop = opened();
    const { output } = await workshop.run(workshop.folder, `npm pack --dry-run --json ${workshop.packed} 2>/dev/null`);
    files = JSON.parse(output)[0].files.map(({ path }: { path: string }) => path);
  });

  test("contains what runs, its types, source maps, proto files and documents, and nothing else", () => {
    const kinds = /\.(js|js\.map|d\.ts|proto|md|json)$|^LICENSE$/;
    expect(files.filter((file) => !kinds.test(file))).toEqual([]);
    expect(files.filter((file) => !/^(core|plugins|proto|test\/harness)\//.test(file)).sort())
      .toEqual(["LICENSE", "README.md", "package.json"]);
    expect(files.filter((file) => /\.test\.|\.lock|lock\.json|deno\.json|tsconfig/.test(file))).toEqual([]);
    // what only tests of this repository import
    expect(files.filter((file) => /harness\/(server|instances|runtimes|random)\./.test(file))).toEqual([]);
    const modules = files.filter((file) => file.endsWith(".js"));
    expect(modules.length).toBeGreaterThan(1000);
    expect(modules.filter((file) => !files.includes(`${file}.map`))).toEqual([]);
  });

  test("imports only what it contains", () => {
    const known = new Set(files);
    // the tests of this repository also run against servers and workers, which stay here
    const elsewhere = /^test\/(edge|servers)\//;
    const missing = files.filter((file) => /\.(js|d\.ts)$/.test(file)).flatMap((file) => {
      const text = readFileSync(join(workshop.packed, file), "utf8");
      return [...text.matchAll(/^(?:import|export) .*?from "(\.[^"]+)"|^import "(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm)]
        .map(([, from, bare, dynamic]) => resolve("/", dirname(file), (from ?? bare ?? dynamic)!).slice(1))
        .map((target) => file.endsWith(".d.ts") ? target.replace(/\.js$/, ".d.ts") : target)
        .filter((target) => target.endsWith(file.endsWith(".d.ts") ? ".d.ts" : ".js"))
        .filter((target) => !known.has(target) && !elsewhere.test(target)).map((target) => `${file} -> ${target}`);
    });
    expect(missing).toEqual([]);
  });

  describe("installed", () => {
    let folder: string;
    beforeAll(async () => {
      folder = await workshop.empty("installed");
      writeFileSync(join(folder, "package.json"), '{"type": "module"}');
      const tools = "typescript@6.0.3 @types/node@24.19.2 kysely@0.29.9 @bufbuild/protobuf@2.17.0";
      const { code, output } = await workshop.run(folder, `npm install edgehelm ${tools}`);
      expect({ code, output }).toMatchObject({ code: 0 });
    });

    test.each(["node16", "bundler"])("has types for the module resolution %s", async (resolution) => {
      writeFileSync(join(folder, "consumer.ts"), consumerText(workshop.packed));
      const module = resolution === "bundler" ? "esnext" : "node16";
      const flags = `--noEmit --strict --skipLibCheck --target es2024 --module ${module} --types node`;
      const line = `node_modules/.bin/tsc ${flags} --moduleResolution ${resolution}`;
      expect(await workshop.run(folder, `${line} consumer.ts`)).toEqual({ code: 0, output: "" });
      writeFileSync(join(folder, "wrong.ts"), 'import { definePlugin } from "edgehelm";\ndefinePlugin(7);\n');
      expect((await workshop.run(folder, `${line} wrong.ts`)).output).toContain("TS2345");
    });

    test.each(["22", "24"] as const)("has a program that starts on Node %s with few modules", async (node) => {
      const help = await workshop.run(folder, "npx edgehelm --help", node);
      expect(help).toMatchObject({ code: 0, output: expect.stringContaining("usage: edgehelm") });
      writeFileSync(join(folder, "measure.mjs"), MEASURE);
      const { output } = await workshop.run(folder, "node measure.mjs --help", node);
      expect(output).toMatch(/cpu \d+/);
      console.info(`edgehelm --help on Node ${node}: ${output.split("cpu ")[1]?.trim()} µs of processor time`);
      const commands = readFileSync(join(folder, "node_modules/edgehelm/core/host/api_cli/mod.js"), "utf8");
      expect(commands).not.toMatch(/(?:from|import\() ?"(?:commander|yaml|cli-table3)"/);
    });
  });
}

/** Prints the time of the processor, which other programs of the machine do not change. */
const MEASURE = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  console.log("cpu " + (user + system));
});
await import("./node_modules/edgehelm/core/host/cli/main.js");
`;

/** A module that imports every shelf, a message and each contract. */
function consumerText(packed: string): string {
  const { exports } = JSON.parse(readFileSync(join(packed, "package.json"), "utf8"));
  const shelves = Object.keys(exports).filter((name) => !/\*|package\.json/.test(name)).map((name) => name.slice(1));
  const contracts = readdirSync(join(packed, "plugins"))
    .filter((plugin) => existsSync(join(packed, "plugins", plugin, "contract.js")))
    .map((plugin) => `/plugins/${plugin}/contract.js`);
  const names = [...shelves, ...contracts, "/proto/options_pb.js", "/plugins/admin/proto/service_admin_pb.js"];
  return [
    ...names.map((name, index) => `import * as shelf${index} from "edgehelm${name}";`),
    ...names.map((_, index) => `export const used${index}: object = shelf${index};`),
  ].join("\n");
}
