import { execFileSync } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  CHOSEN_KEY,
  installationDirectory,
  removeInstallation,
  type Runtime,
  runToEnd,
  Server,
  THIS_RUNTIME,
} from "../harness/server.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LOGIN = ["admin", "api_access_token", "user_access_key"];

let installation: Record<string, string>;
let folder: string;
beforeEach(async () => {
  installation = await installationDirectory(LOGIN);
  folder = dirname(installation.EDGEHELM_MANIFEST!);
});
afterEach(() => removeInstallation(installation));

/** Adds one line to the installation manifest. */
async function use(plugin: string): Promise<void> {
  const manifest = JSON.parse(await readFile(installation.EDGEHELM_MANIFEST!, "utf8"));
  manifest.plugins.push({ use: plugin });
  await writeFile(installation.EDGEHELM_MANIFEST!, JSON.stringify(manifest));
}

async function saysHello(runtime: Runtime): Promise<void> {
  const server = await Server.start({ ...installation, ...CHOSEN_KEY }, runtime);
  const answer = await server.post("/HelloWorldService/sayHello", { id: "7", name: "Ada" });
  expect(answer).toEqual({ code: 200, data: { result: "hello, Ada (7)" }, message: "ok" });
  await server.stop();
}

describe.each(runtimes())("on %s", (_name, runtime) => {
  test("a plugin copied out of the project is served by one line in the manifest", async () => {
    await cp(join(ROOT, "plugins/hello_world"), join(folder, "hello_world"), { recursive: true });
    await use("./hello_world");
    await saysHello(runtime);
  });

  test("the same plugin, packed and installed from the tarball, is served too", async () => {
    const packed = join(folder, "packed");
    expect((await runToEnd(["pack", join(ROOT, "plugins/hello_world"), packed], {})).output).toContain("packed");
    const [{ filename }] = JSON.parse(npm(["pack", "--json", packed]));
    const flags = ["--offline", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"];
    npm(["install", ...flags, "--prefix", folder, join(folder, filename)]);
    await use("npm:edgehelm-plugin-hello-world@^1");
    await saysHello(runtime);
  });
});

test("a new plugin boots as it is made", async () => {
  const made = join(folder, "my_first");
  expect((await runToEnd(["plugin", "new", made], {})).output).toContain("made the plugin my_first");
  await use("./my_first");
  const server = await Server.start(installation);
  expect(await (await fetch(`${server.url}/my_first`)).text()).toBe("hello from my_first\n");
  await server.stop();
  expect((await runToEnd(["plugin", "list"], installation)).output).toContain("my_first 0.1.0: no service");
});

function npm(words: readonly string[]): string {
  return execFileSync("npm", words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

/** The runtime of this test, and the other one where npm can bring it. */
function runtimes(): [string, Runtime][] {
  const isDeno = "Deno" in globalThis;
  const other = isDeno ? otherRuntime("node@24", "node", []) : otherRuntime("deno@2.9.6", "deno", ["run", "-A"]);
  if (other === undefined) console.warn(`SKIPPED: ${isDeno ? "Node 24" : "Deno"} cannot be had here`);
  const name = (runtime: Runtime): [string, Runtime] => [runtime.includes("run") ? "Deno" : "Node", runtime];
  return [THIS_RUNTIME, ...other === undefined ? [] : [other]].map(name);
}

function otherRuntime(source: string, program: string, flags: readonly string[]): Runtime | undefined {
  try {
    const words = ["--yes", "-p", source, "sh", "-c", `command -v ${program}`];
    const found = execFileSync("npx", words, {
      encoding: "utf8",
      env: process.env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return [found.trim(), ...flags];
  } catch {
    return undefined;
  }
}
