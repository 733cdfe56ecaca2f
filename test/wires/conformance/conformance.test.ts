import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { reportMissing } from "../../harness/needs.ts";
import { THIS_RUNTIME } from "../../harness/server.ts";

const RUNNER = "connectconformance";
const folder = fileURLToPath(new URL(".", import.meta.url));
/** Some of its cases have timeouts of a few hundred milliseconds, so it needs the machine for itself. */
const isAsked = process.env["TEST_WIRES"] !== undefined;
const hasRunner = isAsked && spawnSync(RUNNER, ["--version"]).status === 0;
if (isAsked && !hasRunner) {
  reportMissing("connectconformance (go install connectrpc.com/conformance/cmd/connectconformance@v1.0.7)");
}

/** Runs the suite against the server and returns its output. */
function runSuite(): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(RUNNER, [
    ...["--mode", "server", "--conf", `${folder}suite.yaml`, "--known-failing", `@${folder}known_failures.txt`],
    ...["--max-servers", "2", "--parallel", "4", "--", ...THIS_RUNTIME, `${folder}server.ts`],
  ]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output += chunk);
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
}

describe.skipIf(!hasRunner)("the conformance suite of Connect", () => {
  test("passes, but for the cases that are known to fail", async () => {
    const { code, output } = await runSuite();
    const known = readFileSync(`${folder}known_failures.txt`, "utf8").split("\n").filter((line) =>
      line !== "" && !line.startsWith("#")
    );
    const counts = output.slice(output.lastIndexOf("Total cases:")).trim().replaceAll("\n", ", ");
    console.log(`connectconformance 1.0.7: ${counts}, ${known.length} known failures`);
    expect({ code, failed: output.match(/^FAILED: .*$/gm) ?? [] }).toEqual({ code: 0, failed: [] });
  });
});
