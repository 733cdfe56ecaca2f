import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { openLocalEngine } from "../../../../core/host/sqlite/engine.ts";
import { THIS_RUNTIME } from "../../../harness/server.ts";
import { temporaryDatabase } from "../fixture.ts";

const PROGRAM = fileURLToPath(new URL("collected_results.ts", import.meta.url));

test("the results of earlier reads are not collected while a read does not end, which would block the event loop", async () => {
  const path = temporaryDatabase();
  await (await openLocalEngine({ path })).close();
  const [runtime, ...flags] = THIS_RUNTIME;
  const expose = "Deno" in globalThis ? "--v8-flags=--expose-gc" : "--expose-gc";
  const child = spawn(runtime!, [...flags, expose, PROGRAM, path]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (chunk) => output += chunk);
  const [code] = await once(child, "close");
  expect([code, output]).toEqual([0, "the read took longer than its deadline allows\n"]);
});
