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

/** The cases in which a call must end at its deadline of 200 ms. Beside others, a deadline may pass before a call begins. */
const WITH_DEADLINES = "Timeouts/**";

interface Outcome {
  readonly code: number | null;
  readonly failed: readonly string[];
  readonly total: number;
  readonly passed: number;
}

/** Runs cases of the suite against the server. */
async function runSuite(...options: readonly string[]): Promise<Outcome> {
  const child = spawn(RUNNER, [
    ...["--mode", "server", "--conf", `${folder}suite.yaml`, "--known-failing", `@${folder}known_failures.txt`],
    ...[...options, "--parallel", "4", "--", ...THIS_RUNTIME, `${folder}server.ts`],
  ]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output += chunk);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const numberOf = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? 0);
  return {
    code,
    failed: output.match(/^FAILED: .*$/gm) ?? [],
    total: numberOf(/^Total cases: (\d+)/m),
    passed: numberOf(/^(\d+) passed/m),
  };
}

describe.skipIf(!hasRunner)("the conformance suite of Connect", () => {
  test("passes, but for the cases that are known to fail", async () => {
    const runs = [
      await runSuite("--skip", WITH_DEADLINES, "--max-servers", "2"),
      await runSuite("--run", WITH_DEADLINES, "--max-servers", "1"),
    ];
    const known = readFileSync(`${folder}known_failures.txt`, "utf8").split("\n").filter((line) =>
      line !== "" && !line.startsWith("#")
    );
    const sum = (figure: "total" | "passed") => runs.reduce((sum, run) => sum + run[figure], 0);
    console.log(
      `connectconformance 1.0.7: ${sum("total")} cases, ${sum("passed")} passed, ${known.length} known failures`,
    );
    expect(runs.map(({ code, failed }) => ({ code, failed }))).toEqual(Array(2).fill({ code: 0, failed: [] }));
    expect(sum("passed")).toBe(sum("total") - known.length);
    expect(sum("total")).toBeGreaterThan(4000);
  });
});
