import { readFileSync } from "node:fs";
import { PROGRAM_VERSION } from "edgehelm/runtime";
import { expect, test } from "vitest";

test("PROGRAM_VERSION equals the version in package.json", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  expect(PROGRAM_VERSION).toBe(manifest.version);
});
