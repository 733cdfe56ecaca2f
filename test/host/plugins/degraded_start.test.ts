import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runtimes } from "../../harness/runtimes.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, runToEnd, Server } from "../../harness/server.ts";

const WORKING = `
import { definePlugin } from "edgehelm";
import manifest from "./plugin.json" with { type: "json" };
export default definePlugin({ manifest, setup() {} });
`;

let installation: Record<string, string>;
beforeEach(async () => {
  installation = await installationDirectory([]);
  const path = installation.EDGEHELM_MANIFEST!;
  await configure({});
  await mkdir(join(dirname(path), "geo"));
  const declared = { name: "geo", version: "1.0.0", kernel: "^1", services: [], tables: [] };
  await writeFile(join(dirname(path), "geo/plugin.json"), JSON.stringify(declared));
});
afterEach(() => removeInstallation(installation));

/** Changes the installation manifest: its only plugin is the one under test, so that no other one is late. */
async function configure(settings: object): Promise<void> {
  const path = installation.EDGEHELM_MANIFEST!;
  const manifest = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify({ ...manifest, plugins: [{ use: "./geo" }], ...settings }));
}

function write(code: string): Promise<void> {
  return writeFile(join(dirname(installation.EDGEHELM_MANIFEST!), "geo/plugin.js"), code);
}

describe.each(runtimes())("on %s", (_name, runtime) => {
  test.each([
    ["throws", {}, 'throw new Error("no database of places");', "no database of places"],
    [
      "does not end",
      { limits: { pluginStartSeconds: 1 } },
      "await new Promise(() => {});",
      "its import took more than 1 s",
    ],
  ])("a plugin whose import %s is left out, and stops a strict start", async (_what, settings, code, reason) => {
    await write(WORKING);
    const first = await Server.start({ ...installation, ...CHOSEN_KEY }, runtime);
    expect(await (await fetch(`${first.url}/readyz`)).text()).toBe("ok\n");
    await first.stop();
    await write(code);
    await configure(settings);
    // declared, but there is no code that serves it
    const path = join(dirname(installation.EDGEHELM_MANIFEST!), "geo/plugin.json");
    const declared = { ...JSON.parse(await readFile(path, "utf8")), services: ["GeoService"] };
    await writeFile(path, JSON.stringify(declared));
    const server = await Server.start({ ...installation, ...CHOSEN_KEY }, runtime);
    const ready = await fetch(`${server.url}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([200, "degraded: geo\n"]);
    await vi.waitFor(() => expect(server.output).toContain(reason), 300_000);
    expect(await server.postAnonymously("/GeoService/locate", {})).toMatchObject({
      code: 503,
      reason: "kernel.unavailable",
    });
    expect(await server.stop()).toBe(0);
    const strict = await runToEnd(["start", "--strict"], installation);
    expect(strict.code).not.toBe(0);
    expect(strict.output).toContain("./geo");
    expect(strict.output).toContain(reason);
  });
});

test("start refuses an argument that it does not know", async () => {
  await write(WORKING);
  const { code, output } = await runToEnd(["start", "--strickt"], installation);
  expect(code).not.toBe(0);
  expect(output).toContain('unknown argument "--strickt"; usage: edgehelm start [--strict] [--new] [--without-backup]');
});
