import { execFileSync } from "node:child_process";
import process from "node:process";
import { expect, test } from "vitest";
import { root } from "../../rules/generated.ts";

/** The modules that the start of any command loads. */
const MAX_MODULES = 20;

test.runIf("Deno" in globalThis)("the command line loads a command's modules when it runs, and no others", () => {
  const info = execFileSync(process.execPath, ["info", "--json", "core/host/cli/main.ts"], { cwd: root });
  const { modules }: { modules: readonly { specifier: string }[] } = JSON.parse(info.toString());
  const own = modules.map(({ specifier }) => specifier).filter((specifier) => specifier.startsWith("file:"));
  expect(own.length).toBeGreaterThan(2);
  expect(own.length, own.join("\n")).toBeLessThan(MAX_MODULES);
});
