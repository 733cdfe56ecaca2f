import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EARLIER_PLUGINS } from "../../fixtures/earlier_plugins/packages.ts";
import { runtimes } from "../../harness/runtimes.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, runToEnd, Server } from "../../harness/server.ts";

let installation: Record<string, string>;
let folder: string;
let notesManifest: string;
beforeEach(async () => {
  installation = await installationDirectory(["admin", "api_access_token", "user_access_key"]);
  folder = dirname(installation.EDGEHELM_MANIFEST!);
  const flags = ["--offline", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"];
  const archives = EARLIER_PLUGINS.map(({ archive }) => archive);
  execFileSync("npm", ["install", ...flags, "--prefix", folder, ...archives], { cwd: folder, stdio: "ignore" });
  const path = join(folder, "manifest.json");
  const manifest = JSON.parse(await readFile(path, "utf8"));
  manifest.plugins.push(...EARLIER_PLUGINS.map(({ name }) => ({ use: `npm:${name}@^1` })));
  await writeFile(path, JSON.stringify(manifest));
  notesManifest = join(folder, "node_modules/edgehelm-plugin-notes/plugin.json");
});
afterEach(() => removeInstallation(installation));

describe.each(runtimes())("on %s", (_name, runtime) => {
  test("plugins that were packed from earlier commits run", async () => {
    // it was packed before plugins declared their commands
    const refused = await runToEnd(["notes", "find", "0", "0", "0"], installation);
    expect(refused.output).toContain(
      'plugin "notes" contributes to "kernel.commands", which plugin.json does not declare',
    );
    const declared = { ...JSON.parse(await readFile(notesManifest, "utf8")), contributes: ["kernel.commands"] };
    await writeFile(notesManifest, JSON.stringify(declared));
    // and before recursive queries needed a reason
    const unbounded = await runToEnd(["notes", "find", "0", "0", "0"], installation);
    expect(unbounded.output).toContain('plugin "notes" may not run a recursive query in a transaction');
    const store = join(dirname(notesManifest), "store.js");
    const insert = /(from numbers`\.\$castTo\(\)\))\)/;
    await writeFile(store, (await readFile(store, "utf8")).replace(insert, '$1, { recursive: "of a number" })'));
    const server = await Server.start({ ...installation, ...CHOSEN_KEY }, runtime);
    const greeting = await server.post("/HelloWorldService/sayHello", { id: 7, name: "Ada" });
    expect(greeting.data).toEqual({ result: "hello, Ada (7)" });
    const { data: { trafficPackageId: id } } = await server.post("/TrafficPackageService/createTrafficPackage", {
      size: 5,
      unit: "gb",
    });
    const { data } = await server.post("/TrafficPackageService/findTrafficPackage", { trafficPackageId: id });
    expect(data).toMatchObject({ trafficPackage: { size: 5, unit: "gb", bytes: 5 * 2 ** 30 } });
    const missing = await server.post("/TrafficPackageService/deleteTrafficPackage", { trafficPackageId: 99 });
    expect(missing).toMatchObject({ code: 404, reason: "traffic_package.not_found" });
    await server.stop();
    await runToEnd(["notes", "insert", "600"], installation);
    expect((await runToEnd(["notes", "find", "0", "0", "0"], installation)).output).toContain(
      "600: note 600, note 599",
    );
  });
});
