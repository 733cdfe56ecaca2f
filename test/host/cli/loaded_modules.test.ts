import { execFileSync } from "node:child_process";
import process from "node:process";
import { expect, test } from "vitest";
import { root } from "../../rules/generated.ts";

/** The modules that the start of any command loads. */
const MAX_MODULES = 20;

interface Module {
  readonly specifier: string;
  /** The imported modules: `code` of those that run, also if `import()` names them. */
  readonly dependencies?: readonly { readonly code?: { readonly specifier?: string } }[];
}

test.runIf("Deno" in globalThis)("the command line loads a command's modules when it runs, and no others", () => {
  const info = execFileSync(process.execPath, ["info", "--json", "core/host/cli/main.ts"], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const { roots, modules }: { roots: string[]; modules: readonly Module[] } = JSON.parse(info.toString());
  const loaded = new Set(roots);
  for (const specifier of loaded) {
    const { dependencies = [] } = modules.find((module) => module.specifier === specifier) ?? {};
    for (const { code } of dependencies) if (code?.specifier?.startsWith("file:")) loaded.add(code.specifier);
  }
  expect(loaded.size).toBeGreaterThan(2);
  expect(loaded.size, [...loaded].join("\n")).toBeLessThan(MAX_MODULES);
});
