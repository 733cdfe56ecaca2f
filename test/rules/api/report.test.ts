import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import project from "../../../package.json" with { type: "json" };
import { EARLIER_PLUGINS } from "../../fixtures/earlier_plugins/packages.ts";
import { generatedFiles, root } from "../generated.ts";
import { deprecations, removedAtOnce, surfaces } from "./deprecation.ts";
import { apiReport, REPORT } from "./report.ts";

// What plugins of others were written against. A declaration that changes or goes breaks them: keep the old one marked
// @deprecated for a release, and increase the kernel version. `deno task api` writes the file after a change that is meant.
test("the surface of the SDK is the one on record", () => {
  const recorded = readFileSync(root + REPORT, "utf8");
  expect(removedAtOnce(recorded, apiReport()), "removed without a deprecation").toEqual([]);
  expect(apiReport()).toBe(recorded);
});

test("the record has the declarations of every module, without bodies", () => {
  const report = apiReport();
  expect(report).toContain("# core/mod.ts\n");
  expect(report).toMatch(/export function definePlugin</);
  expect(report).not.toMatch(/\breturn\b/);
});

test("the record says what is deprecated, since when, and what to use", () => {
  const lines = apiReport().split("\n").filter((line) => line.startsWith("@deprecated "));
  expect(lines.filter((line) => !/^@deprecated [\w.]+: since \d+\.\d+\.\d+: use \S/.test(line))).toEqual([]);
  const source = `
    /** @deprecated since 1.1.0: use welcome */
    export function greet(): void {}
    export interface Door {
      /** @deprecated since 1.2.0: use close */
      shut(): void;
      close(): void;
    }`;
  const { statements } = ts.createSourceFile("door.ts", source, ts.ScriptTarget.Latest, true);
  expect(deprecations("greet", statements[0]!)).toEqual(["@deprecated greet: since 1.1.0: use welcome"]);
  expect(deprecations("Door", statements[1]!)).toEqual(["@deprecated Door.shut: since 1.2.0: use close"]);
});

test("what is removed without a deprecation is named", () => {
  const before = [
    ...["# core/mod.ts", "export function greet(): void;", "@deprecated part: since 1.1.0: use leave"],
    ...["export function part(): void;", "Old is:", "export interface New {", "}"],
  ].join("\n");
  expect(removedAtOnce(before, before)).toEqual([]);
  expect(removedAtOnce(before, "# core/mod.ts\n")).toEqual(["core/mod.ts: greet", "core/mod.ts: Old"]);
});

test("plugins that were packed earlier import what the SDK still exports", async () => {
  const exported = surfaces(apiReport());
  const generated = new Set((await generatedFiles()).map(({ name }) => `edgehelm/${name}_pb.js`));
  const missing: string[] = [];
  let checked = 0;
  for (const { name, archive } of EARLIER_PLUGINS) {
    const source = execFileSync("tar", ["-xzOf", archive, "--wildcards", "*.js"], { encoding: "utf8" });
    for (const [, names = "", specifier = ""] of source.matchAll(/import \{([^}]+)\} from "(edgehelm[^"]*)"/g)) {
      const index = (project.exports as Record<string, string>)[specifier.replace("edgehelm", ".")]?.slice(2);
      for (const one of names.split(",").map((text) => text.trim().split(" as ")[0]!).filter(Boolean)) {
        checked++;
        const isThere = index === undefined ? generated.has(specifier) : exported.get(index)?.names.has(one);
        if (isThere !== true) missing.push(`${name}: ${one} of ${specifier}`);
      }
    }
  }
  expect(missing).toEqual([]);
  expect(checked).toBeGreaterThan(10);
});
