import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { reportMissing } from "../../harness/needs.ts";
import { inject } from "./injections.ts";
import { plugin } from "./open_plugin.ts";
import { hasSqlmap } from "./sqlmap.ts";

const OPERATIONS = ["/ProbeService/look", "/NSDomainService/listNSDomains"];

const isInstalled = hasSqlmap();
if (!isInstalled) reportMissing("sqlmap");

test.skipIf(!isInstalled)("sqlmap finds a text that becomes part of a statement, and no other", async () => {
  const { figures, broken } = await inject({ seed: 1, rounds: OPERATIONS.length, progress() {} }, {
    plugins: [plugin],
    modules: [fileURLToPath(new URL("./open_plugin.ts", import.meta.url))],
    includes: ({ path }) => OPERATIONS.includes(path),
  });
  expect(figures).toMatchObject({ operations: 2, withTexts: 2, valid: 2, findings: 1 });
  expect(figures["tested"]).toBe(figures["texts"]);
  const findings = broken.filter((line) => line.startsWith("sqlmap: "));
  expect(findings).toEqual([expect.stringContaining("/ProbeService/look")]);
});
