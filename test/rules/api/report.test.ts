import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { apiReport, REPORT } from "./report.ts";
import { root } from "../generated.ts";

// What plugins of others were written against. A declaration that changes or goes breaks them: keep the old one marked
// @deprecated for a release, and increase the kernel version. `deno task api` writes the file after a change that is meant.
test("the surface of the SDK is the one on record", () => {
  expect(apiReport()).toBe(readFileSync(root + REPORT, "utf8"));
});

test("the record has the declarations of every module, without bodies", () => {
  const report = apiReport();
  expect(report).toContain("# core/mod.ts\n");
  expect(report).toMatch(/export function definePlugin</);
  expect(report).not.toMatch(/\breturn\b/);
});
