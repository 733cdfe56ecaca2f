import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { reportMissing } from "../../../harness/needs.ts";
import { CHOSEN_KEY, installationDirectory, KEY, removeInstallation, Server } from "../../../harness/server.ts";
import { root } from "../../../rules/generated.ts";
import { miniflareRuns } from "../../../servers/miniflare_package.ts";
import { Workerd } from "../../../servers/workerd.ts";
import { browserBundle } from "../bundle_size.ts";
import { browserRuns, visit } from "./page_visit.ts";
import { EXPECTED, findings, type Target } from "./program.ts";

const PLUGINS = ["admin", "api_access_token", "ns_cluster", "ns_domain", "user", "user_access_key"];
const PROGRAM = JSON.stringify("./test/core/client/runtimes/program.ts");
const node20 = oldNode();

let folder: string;
let installation: Record<string, string>;
let server: Server;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgehelm-client-"));
  const plugins = [...PLUGINS, join(root, "test/fixtures/echo")];
  installation = await installationDirectory(plugins, { http: { corsOrigins: ["*"] } });
  server = await Server.start({ ...installation, ...CHOSEN_KEY });
});
afterAll(async () => {
  await server.stop();
  await removeInstallation(installation);
  await rm(folder, { recursive: true });
});

function target(name: string): Target {
  return { baseUrl: server.url, ...KEY, name };
}

/** Returns the path of the oldest Node that the client supports. */
function oldNode(): string | undefined {
  try {
    const args = ["--yes", "-p", "node@20.20.2", "sh", "-c", "command -v node"];
    return execFileSync("npx", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    reportMissing("node@20.20.2 from npm");
    return undefined;
  }
}

test("the client works on this runtime", async () => {
  expect(await findings(target("own"))).toEqual(EXPECTED);
});

test.runIf(browserRuns())("the client works in a browser, from a page of another origin", async () => {
  const script = await browserBundle(`
    import { findings } from ${PROGRAM};
    const found = await findings(${
    JSON.stringify(target("browser"))
  }).catch((error) => ({ error: String(error.stack) }));
    await fetch("/result", { method: "POST", body: JSON.stringify({ userAgent: navigator.userAgent, found }) });
  `);
  const { userAgent, found } = JSON.parse(await visit(script));
  expect(userAgent).toContain("Chrome/");
  expect(found).toEqual(EXPECTED);
});

test.runIf(node20 !== undefined)("the client works on Node 20", async () => {
  const path = join(folder, "program.mjs");
  const script = await browserBundle(`
    import { findings } from ${PROGRAM};
    console.log(JSON.stringify({ version: process.version, found: await findings(${JSON.stringify(target("node"))}) }));
  `);
  await writeFile(path, script);
  const { version, found } = JSON.parse((await promisify(execFile)(node20!, [path])).stdout);
  expect(version).toMatch(/^v20\./);
  expect(found).toEqual(EXPECTED);
});

test.runIf(miniflareRuns())("the client works in a worker", async () => {
  const path = join(folder, "worker.js");
  const script = await browserBundle(`
    import { findings } from ${PROGRAM};
    export default { fetch: async () => Response.json(await findings(${JSON.stringify(target("worker"))})) };
  `);
  await writeFile(path, script);
  await using worker = await Workerd.start(path);
  expect(await (await fetch(worker.url)).json()).toEqual(EXPECTED);
});
