import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runtimes } from "../harness/runtimes.ts";
import {
  CHOSEN_KEY,
  installationDirectory,
  removeInstallation,
  type Runtime,
  runToEnd,
  Server,
} from "../harness/server.ts";
import { GREETING, writeContractPlugin } from "./contract_plugin.ts";

// Packing and installing start several processes.

let installation: Record<string, string>;
let folder: string;
beforeEach(async () => {
  installation = await installationDirectory(["admin", "api_access_token", "user_access_key"]);
  folder = dirname(installation.EDGEHELM_MANIFEST!);
  await writeContractPlugin(join(folder, "greeter"));
});
afterEach(() => removeInstallation(installation));

async function expectGreeting(plugin: string, runtime: Runtime): Promise<void> {
  const manifest = JSON.parse(await readFile(installation.EDGEHELM_MANIFEST!, "utf8"));
  manifest.plugins.push({ use: plugin });
  await writeFile(installation.EDGEHELM_MANIFEST!, JSON.stringify(manifest));
  const server = await Server.start({ ...installation, ...CHOSEN_KEY }, runtime);
  const response = await server.post("/HelloWorldService/sayHello", { id: 7, name: "Ada" });
  expect(response).toEqual({ code: 200, data: { result: GREETING }, message: "ok" });
  await server.stop();
}

describe.each(runtimes())("a third-party plugin that uses the contract of another plugin, on %s", (_name, runtime) => {
  test("works from its folder", async () => {
    await expectGreeting("./greeter", runtime);
  });

  test("works from the npm package that it is packed into", async () => {
    const packed = join(folder, "packed");
    expect((await runToEnd(["pack", join(folder, "greeter"), packed], {})).output).toContain("packed");
    const npm = (...args: string[]) =>
      execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    const [{ filename }] = JSON.parse(npm("pack", "--json", packed));
    const flags = ["--offline", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"];
    npm("install", ...flags, "--prefix", folder, join(folder, filename));
    await expectGreeting("npm:edgehelm-plugin-hello-world@^1", runtime);
  });
});
