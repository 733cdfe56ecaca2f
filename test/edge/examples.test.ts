import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MINIFLARE_FOLDER, miniflareRuns } from "../servers/miniflare_package.ts";
import { freePort, sqldRuns } from "../servers/sqld.ts";
import { deploy, DEPLOY_TIMEOUT_MILLISECONDS, type Deployment, EdgeClient } from "./deployment.ts";

const WORKERD = join(MINIFLARE_FOLDER, "node_modules/@cloudflare/workerd-linux-64/bin/workerd");
const DEFAULT_URL = "http://127.0.0.1:8080";

describe.skipIf(!sqldRuns() || !miniflareRuns())("the bundle runs as its README describes", () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await deploy();
  }, DEPLOY_TIMEOUT_MILLISECONDS);
  afterAll(() => deployment?.[Symbol.asyncDispose]());

  /** Runs a program in the folder of the bundle until a call succeeds. */
  async function expectServing(program: string, args: string[], port: number, variables: Record<string, string> = {}) {
    const env = { ...process.env, ...deployment.variables, ...variables };
    const child = spawn(program, args, { cwd: deployment.folder, env, stdio: "inherit" });
    try {
      const client = new EdgeClient(DEFAULT_URL.replace("8080", String(port)));
      await expect.poll(() => codeOf(client, child), { timeout: 300_000, interval: 100 }).toBe(200);
    } finally {
      if (child.exitCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
    }
  }

  async function codeOf(client: EdgeClient, { exitCode }: ChildProcess): Promise<number> {
    if (exitCode !== null) throw new Error(`the program exited with code ${exitCode}`);
    return await client.post("/NSDomainService/countAllNSDomains").then(({ code }) => code, () => 0);
  }

  test("in workerd, with the example configuration", async () => {
    const port = await freePort();
    const config = join(deployment.folder, "workerd.capnp");
    writeFileSync(config, readFileSync(config, "utf8").replace(":8080", `:${port}`));
    await expectServing(WORKERD, ["serve", "workerd.capnp"], port);
  });

  test.runIf("Deno" in globalThis)("in Deno, with the documented permissions", async () => {
    const port = await freePort();
    const args = ["run", "--no-config", "--no-lock", "--allow-net", "--allow-env", "--unstable-cron", "deno.js"];
    await expectServing(process.execPath, args, port, { DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}` });
  });

  test("with a valid wrangler configuration", () => {
    const text = readFileSync(join(deployment.folder, "wrangler.jsonc"), "utf8").replaceAll(/^ *\/\/.*$/gm, "");
    const { main, no_bundle, triggers } = JSON.parse(text);
    expect({ main, no_bundle, triggers }).toEqual({
      main: "worker.js",
      no_bundle: true,
      triggers: { crons: ["* * * * *"] },
    });
  });

  test("and bundling again keeps the configuration of the operator", async () => {
    const { bundle } = await import("../../core/host/bundle/bundle_command.ts");
    const config = join(deployment.folder, "wrangler.jsonc");
    writeFileSync(config, '{ "name": "mine" }');
    await bundle([deployment.manifest, deployment.folder]);
    expect(readFileSync(config, "utf8")).toBe('{ "name": "mine" }');
  });
});
