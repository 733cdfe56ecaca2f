import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runtimes } from "../harness/runtimes.ts";
import {
  CHOSEN_KEY,
  installationDirectory,
  removeInstallation,
  type Runtime,
  runToEnd,
  Server,
} from "../harness/server.ts";
import { bufRuns } from "../rules/buf.ts";
import { GREETING, writeContractPlugin } from "./contract_plugin.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

let installation: Record<string, string>;
let folder: string;
let main: string;

/** Installs the project from its npm tarball, with dependencies from the working copy. */
beforeAll(async () => {
  installation = await installationDirectory(["admin", "api_access_token", "hello_world", "user_access_key"]);
  folder = dirname(installation.EDGEHELM_MANIFEST!);
  const packed = join(folder, "packed");
  expect((await runToEnd(["pack", packed], {})).output).toContain("packed edgehelm");
  const [{ filename }] = JSON.parse(run("npm", ["pack", "--json", packed]));
  const installed = join(folder, "node_modules", "edgehelm");
  await mkdir(installed, { recursive: true });
  run("tar", ["-xzf", filename, "-C", installed, "--strip-components=1"]);
  for (const name of await readdir(join(ROOT, "node_modules"))) {
    if (name !== "edgehelm") await symlink(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
  }
  await writeFile(join(folder, "package.json"), '{"type": "module", "dependencies": {"edgehelm": "*"}}');
  main = join(installed, "core/host/cli/main.js");
});
afterAll(() => removeInstallation(installation));

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

/** Runs a program in a folder and returns its exit status and output. */
function runIn(at: string, [program, ...flags]: Runtime, args: readonly string[]) {
  const env = { ...process.env, ...installation, NO_COLOR: "1" };
  const { status, stdout, stderr } = spawnSync(program!, [...flags, ...args], { cwd: at, env, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

async function use(...plugins: string[]): Promise<void> {
  const manifest = JSON.parse(await readFile(installation.EDGEHELM_MANIFEST!, "utf8"));
  manifest.plugins.push(...plugins.map((plugin) => ({ use: plugin })));
  await writeFile(installation.EDGEHELM_MANIFEST!, JSON.stringify(manifest));
}

describe.each(runtimes())("from its tarball on %s", (name, runtime) => {
  const plugin = `made_on_${name.toLowerCase()}`;
  const service = `MadeOn${name}Service`;

  test("the project starts, keeps its data and can be backed up", async () => {
    const environment = { ...installation, ...CHOSEN_KEY, EDGEHELM_DATA: join(folder, `data-${name}`) };
    const server = await Server.start(environment, runtime, main);
    const envelope = await server.post("/HelloWorldService/sayHello", { id: 7, name: "Ada" });
    expect(envelope.data).toEqual({ result: "hello, Ada (7)" });
    const { code, data } = await server.post("/AdminService/createAdmin", {
      username: "bob",
      password: "correct horse",
    });
    expect(code).toBe(200);
    expect(await server.stop()).toBe(0);
    const again = await Server.start(environment, runtime, main);
    const found = await again.post("/AdminService/findAdminWithUsername", { username: "bob" });
    expect(found.data.admin.id).toBe(data.adminId);
    Object.assign(installation, { EDGEHELM_DATA: environment.EDGEHELM_DATA });
    expect(runIn(folder, runtime, [main, "backup", join(folder, `${name}.backup`)])).toMatchObject({ status: 0 });
    expect(await again.stop()).toBe(0);
  });

  test("a generated plugin passes its own tests, is listed and works unchanged", async () => {
    const created = join(folder, plugin);
    expect(runIn(folder, runtime, [main, "plugin", "new", created])).toMatchObject({ status: 0 });
    const [program, ...flags] = runtime;
    const tested = flags.length > 0 ? runIn(created, [program!], ["test", "-A"]) : runIn(created, runtime, ["--test"]);
    expect(tested).toMatchObject({ status: 0, output: expect.stringMatching(/3 passed|pass 3/) });

    await use(`./${plugin}`);
    const { output } = runIn(folder, runtime, [main, "plugin", "list"]);
    expect(output).toMatch(
      new RegExp(
        `${plugin} 0\\.1\\.0; enabled; folder \\./${plugin}; tables: none\\n  ${service}\\n    greet +read +admin \\(${plugin} or super\\), user`,
      ),
    );
    const environment = { ...installation, ...CHOSEN_KEY, EDGEHELM_DATA: join(folder, `plugin-${name}`) };
    const server = await Server.start(environment, runtime, main);
    const { data } = await server.post(`/${service}/greet`, { name: "Ada" });
    expect(data).toEqual({ text: "hello, Ada, you are admin" });
    await server.stop();
  });

  test("a third-party plugin can use the contract of another plugin, from a folder and from npm", async () => {
    const greeter = `greeter_${name.toLowerCase()}`;
    await writeContractPlugin(join(folder, greeter));
    const packed = join(folder, "node_modules", `edgehelm-plugin-${name.toLowerCase()}`);
    expect(runIn(folder, runtime, [main, "pack", join(folder, greeter), packed])).toMatchObject({ status: 0 });
    for (const use of [`./${greeter}`, `npm:edgehelm-plugin-${name.toLowerCase()}`]) {
      const manifest = join(folder, "contracts.json");
      const plugins = ["admin", "api_access_token", "user_access_key", use].map((one) => ({ use: one }));
      await writeFile(manifest, JSON.stringify({ plugins }));
      const data = join(folder, `contracts-${name}-${use.startsWith("npm") ? "npm" : "folder"}`);
      const environment = { ...installation, ...CHOSEN_KEY, EDGEHELM_MANIFEST: manifest, EDGEHELM_DATA: data };
      const server = await Server.start(environment, runtime, main);
      const response = await server.post("/HelloWorldService/sayHello", { id: 7, name: "Ada" });
      expect(response.data).toEqual({ result: GREETING });
      await server.stop();
    }
  });

  test.skipIf(!bufRuns())("the generated code of a new plugin equals the output of the code generator", async () => {
    const created = join(folder, `${plugin}_again`);
    expect(runIn(folder, runtime, [main, "plugin", "new", created])).toMatchObject({ status: 0 });
    const path = join(created, "proto", `service_${plugin}_again_pb.ts`);
    const before = await readFile(path, "utf8");
    const commentsPath = join(created, "proto", "comments_pb.ts");
    const comments = await readFile(commentsPath, "utf8");
    await Promise.all([path, commentsPath].map((file) => writeFile(file, "")));
    await mkdir(join(created, "node_modules"));
    await symlink(join(folder, "node_modules", "edgehelm"), join(created, "node_modules", "edgehelm"));
    expect(runIn(created, runtime, [main, "plugin", "gen"])).toMatchObject({ status: 0 });
    expect(await readFile(path, "utf8")).toBe(before);
    expect(await readFile(commentsPath, "utf8")).toBe(comments);
    expect((await readdir(join(created, "proto"))).sort()).toEqual([
      "comments_pb.ts",
      `service_${plugin}_again.proto`,
      `service_${plugin}_again_pb.ts`,
    ]);
  });
});
