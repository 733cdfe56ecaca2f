import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
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

// Packing and installing start several processes.

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LOGIN = ["admin", "api_access_token", "user_access_key"];

let installation: Record<string, string>;
let folder: string;
beforeEach(async () => {
  installation = await installationDirectory(LOGIN);
  folder = dirname(installation.EDGEHELM_MANIFEST!);
});
afterEach(() => removeInstallation(installation));

/** Adds a plugin to the installation manifest. */
async function use(plugin: string): Promise<void> {
  const manifest = JSON.parse(await readFile(installation.EDGEHELM_MANIFEST!, "utf8"));
  manifest.plugins.push({ use: plugin });
  await writeFile(installation.EDGEHELM_MANIFEST!, JSON.stringify(manifest));
}

async function expectHello(runtime: Runtime): Promise<void> {
  const server = await Server.start({ ...installation, ...CHOSEN_KEY }, runtime);
  const envelope = await server.post("/HelloWorldService/sayHello", { id: "7", name: "Ada" });
  expect(envelope).toEqual({ code: 200, data: { result: "hello, Ada (7)" }, message: "ok" });
  await server.stop();
}

describe.each(runtimes())("on %s", (_name, runtime) => {
  test("a plugin copied out of the project is enabled by one line in the manifest", async () => {
    await cp(join(ROOT, "plugins/hello_world"), join(folder, "hello_world"), { recursive: true });
    await use("./hello_world");
    await expectHello(runtime);
  });

  test("a package keeps what package.json says, and leaves out what is for development", async () => {
    const source = join(folder, "source");
    await cp(join(ROOT, "plugins/hello_world"), source, { recursive: true });
    const own = {
      name: "@acme/edgehelm-greetings",
      license: "Apache-2.0",
      author: "Acme",
      scripts: { test: "node --test" },
      dependencies: { edgehelm: "*", semver: "7.8.6" },
      devDependencies: { typescript: "6.0.3" },
    };
    await writeFile(join(source, "package.json"), JSON.stringify(own));
    for (const file of ["package-lock.json", "deno.lock", "deno.json"]) await writeFile(join(source, file), "{}");
    const packed = join(folder, "packed");
    const { output } = await runToEnd(["pack", source, packed], {});
    expect(output).toContain("packed @acme/edgehelm-greetings 1.0.0");
    const manifest = JSON.parse(await readFile(join(packed, "package.json"), "utf8"));
    expect(manifest).toMatchObject({
      name: "@acme/edgehelm-greetings",
      license: "Apache-2.0",
      author: "Acme",
      dependencies: { semver: "7.8.6" },
      peerDependencies: { edgehelm: expect.stringContaining(">=") },
    });
    expect(manifest.dependencies).not.toHaveProperty("edgehelm");
    expect(manifest).not.toHaveProperty("devDependencies");
    expect((await readdir(packed)).filter((name) => /lock|deno/.test(name))).toEqual([]);
  });

  test("the same plugin, packed and installed from the tarball, works too", async () => {
    const packed = join(folder, "packed");
    expect((await runToEnd(["pack", join(ROOT, "plugins/hello_world"), packed], {})).output).toContain("packed");
    const [{ filename }] = JSON.parse(npm(["pack", "--json", packed]));
    const flags = ["--offline", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"];
    npm(["install", ...flags, "--prefix", folder, join(folder, filename)]);
    await use("npm:edgehelm-plugin-hello-world@^1");
    await expectHello(runtime);
  });
});

test("a package is run as it was accepted, until a change of it is accepted", async () => {
  const packed = join(folder, "packed");
  await runToEnd(["pack", join(ROOT, "plugins/hello_world"), packed], {});
  const installed = join(folder, "node_modules/edgehelm-plugin-hello-world");
  await cp(packed, installed, { recursive: true });
  const plugin = (...args: string[]) => runToEnd(["plugin", ...args], installation);
  const name = "npm:edgehelm-plugin-hello-world@^1";
  expect((await plugin("add", name)).output).toContain("added hello_world 1.0.0");
  const entry = async () => JSON.parse(await readFile(installation.EDGEHELM_MANIFEST!, "utf8")).plugins.at(-1);
  const { integrity } = await entry();
  expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/);

  const json = join(installed, "package.json");
  await writeFile(json, (await readFile(json, "utf8")).replace('"1.0.0"', '"1.0.1"'));
  const { code, output } = await runToEnd(["migrate"], installation);
  expect(code).toBe(78);
  expect(output).toContain(`is not what was added to the manifest: it is version 1.0.1 in place of 1.0.0`);
  expect(output).toContain(`plugin update ${name}`);
  const bundled = await runToEnd(["bundle", installation.EDGEHELM_MANIFEST!, join(folder, "edge")], {});
  expect(bundled).toEqual({ code: 78, output: output });
  expect(existsSync(join(folder, "edge"))).toBe(false);
  expect((await plugin("update", "hello_world")).output).toContain(`updated ${name} from 1.0.0 to 1.0.1`);
  expect(await entry()).toMatchObject({ use: name, version: "1.0.1" });
  expect((await entry()).integrity).not.toBe(integrity);
  expect((await runToEnd(["migrate"], installation)).code).toBe(0);
  expect((await plugin("update", "admin")).output).toContain('"admin" is no package');
  expect((await plugin("update", "nothing")).output).toContain('plugin "nothing" is not enabled');
});

test("a plugin out of the project declares a list in ten lines, and names only its own table", async () => {
  await cp(join(ROOT, "test/fixtures/notes"), join(folder, "notes"), { recursive: true });
  const [, declaration] = /(declareList\([^]*?\);)/.exec(await readFile(join(folder, "notes/store.ts"), "utf8"))!;
  expect(declaration!.split("\n").length).toBeLessThanOrEqual(10);
  await use("./notes");
  const run = async (line: string) => {
    const { output } = await runToEnd(line.split(" "), { ...installation, ...CHOSEN_KEY });
    return output.trim().split("\n").at(-1);
  };
  await run("notes insert 6000");
  expect(await run("notes find 0 0 0")).toBe("6000: note 6000, note 5999, bread 5998");
  expect(await run("notes find 0 0 5000")).toBe("6000: bread 1000, note 999, note 998");
  expect(await run("notes find 3 0 597")).toBe("600: note 23, bread 13, note 3");
  expect(await run("notes find 3 1 0")).toBe("300: note 5993, note 5973, bread 5953");
  expect(await run("notes find 0 0 1 bread")).toBe("2000: bread 5995, bread 5992, bread 5989");
  expect(await run("notes find 3 1 99 bread")).toBe("100: bread 13");
});

function npm(args: readonly string[]): string {
  return execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}
