import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { as, testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import helloWorld from "../../plugins/hello_world/plugin.ts";
import { HelloWorldService } from "../../plugins/hello_world/service_hello_world_pb.ts";
import nsDomainGroup from "../../plugins/ns_domain_group/plugin.ts";
import { NSDomainGroupService } from "../../plugins/ns_domain_group/service_ns_domain_group_pb.ts";
import { ended, projectProcess } from "../harness/server.ts";
import { root } from "../rules/generated.ts";
import { installation, runtimes, temporaryFolder } from "./plugin_rig.ts";

const SLOW = 120_000;
const ADA = { id: "7", name: "Ada" };
const GREETING = { code: 200, data: { result: "hello, Ada (7)" }, message: "ok" };

async function run(...words: readonly string[]): Promise<string> {
  const { code, output } = await ended(projectProcess(words));
  expect(code, output).toBe(0);
  return output;
}

function npm(folder: string, ...words: readonly string[]): string {
  return execFileSync("npm", [...words, "--offline", "--loglevel=error"], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

/** Copies hello_world to where no package of the project can be found by looking upwards. */
function copied(folder: string): string {
  const copy = join(folder, "vendor", "hello_world");
  cpSync(join(root, "plugins/hello_world"), copy, { recursive: true });
  return copy;
}

describe.each(runtimes)("on $name", (runtime) => {
  test(
    "a plugin in a folder outside the project is served by one line of the manifest",
    { timeout: SLOW },
    async () => {
      const folder = temporaryFolder();
      copied(folder);
      const { server, token } = await installation(folder, ["./vendor/hello_world"], { runtime });
      await using _ = server;
      expect(await server.post("/HelloWorldService/sayHello", ADA, token)).toEqual(GREETING);
      expect(await server.post("/HelloWorldService/sayHello", ADA)).toMatchObject({ code: 401 });
    },
  );

  test("a plugin that was packed and installed is served as an npm package", { timeout: SLOW }, async () => {
    const folder = temporaryFolder();
    await run("pack", copied(folder), join(folder, "package"));
    const tarball = npm(folder, "pack", "./package", "--pack-destination", folder);
    npm(folder, "install", "--ignore-scripts", "--legacy-peer-deps", "--prefix", folder, `./${tarball}`);
    const { server, token } = await installation(folder, ["npm:edgehelm-hello-world@^1"], { runtime });
    await using _ = server;
    expect(await server.post("/HelloWorldService/sayHello", ADA, token)).toEqual(GREETING);
  });
});

test("the project that was packed runs from where a package is installed", { timeout: SLOW }, async () => {
  const folder = temporaryFolder();
  await run("pack", join(folder, "package"));
  const tarball = npm(folder, "pack", "./package", "--pack-destination", folder);
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  execFileSync("tar", ["-xzf", join(folder, tarball), "-C", modules]);
  renameSync(join(modules, "package"), join(modules, "edgehelm"));
  // The packages it depends on are those of this project: a test downloads nothing.
  for (const name of readdirSync(join(root, "node_modules"))) {
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ dependencies: { edgehelm: "*" } }));
  for (const runtime of runtimes) {
    const data = join(folder, runtime.name);
    mkdirSync(data);
    const uses = ["hello_world", "ns_cluster", "ns_domain", "ns_domain_group"];
    const { server, token } = await installation(data, uses, { runtime, project: join(modules, "edgehelm") });
    await using _ = server;
    expect(await server.post("/HelloWorldService/sayHello", ADA, token)).toEqual(GREETING);
  }
});

describe("pack", () => {
  test("makes JavaScript with declarations, and a package.json that names the host as a peer", async () => {
    const folder = temporaryFolder();
    const out = join(folder, "out");
    await run("pack", copied(folder), out);
    for (const name of ["plugin.js", "plugin.d.ts", "service_hello_world_pb.js", "plugin.json", "README.md"]) {
      expect(existsSync(join(out, name)), name).toBe(true);
    }
    expect(existsSync(join(out, "plugin.ts"))).toBe(false);
    expect(readFileSync(join(out, "plugin.js"), "utf8")).toContain('from "./service_hello_world_pb.js"');
    expect(JSON.parse(readFileSync(join(out, "package.json"), "utf8"))).toMatchObject({
      name: "edgehelm-hello-world",
      version: "1.0.0",
      exports: { ".": { types: "./plugin.d.ts", default: "./plugin.js" } },
      peerDependencies: { edgehelm: expect.stringMatching(/^>=\d/) },
    });
  });

  test("refuses a folder that is not empty, and one that is no plugin", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "mine.txt"), "");
    const full = await ended(projectProcess(["pack", copied(folder), folder]));
    expect(full).toMatchObject({ code: 78, output: expect.stringContaining("is not empty") });
    const none = await ended(projectProcess(["pack", folder, join(folder, "out")]));
    expect(none).toMatchObject({ code: 78, output: expect.stringContaining("there is no plugin.json") });
  });
});

describe("plugin", () => {
  test("new makes a plugin that says what to do next, and refuses a name that is none", async () => {
    const folder = temporaryFolder();
    const output = await run("plugin", "new", join(folder, "acme_geo"));
    expect(output).toContain("npx buf generate");
    expect(JSON.parse(readFileSync(join(folder, "acme_geo/plugin.json"), "utf8"))).toMatchObject({
      name: "acme_geo",
      services: ["AcmeGeoService"],
    });
    const refused = await ended(projectProcess(["plugin", "new", join(folder, "Acme-Geo")]));
    expect(refused).toMatchObject({ code: 78, output: expect.stringContaining("must be snake_case") });
  });

  test("list names versions, services and the roles of every operation", async () => {
    const folder = temporaryFolder();
    mkdirSync(folder, { recursive: true });
    const manifest = join(folder, "manifest.json");
    writeFileSync(manifest, JSON.stringify({ plugins: [{ use: "hello_world" }] }));
    const { code, output } = await ended(projectProcess(["plugin", "list"], { EDGEHELM_MANIFEST: manifest }));
    expect(code).toBe(0);
    expect(output).toContain("hello_world 1.0.0 (hello_world)\n  HelloWorldService\n    SayHello: admin, user\n");
  });
});

test("two kernels in one process share nothing", async () => {
  await using first = await testKernel({ plugins: [helloWorld, nsDomainGroup] });
  await using second = await testKernel({ plugins: [nsDomainGroup], key: new Uint8Array(32).fill(9) });
  const { createNSDomainGroup, findAllNSDomainGroups } = NSDomainGroupService.method;
  await first.call(as.user(7n), createNSDomainGroup, { name: "shops" });
  expect((await second.call(as.user(7n), findAllNSDomainGroups, {})).nsDomainGroups).toEqual([]);
  await expect(second.call(as.user(7n), HelloWorldService.method.sayHello, {})).rejects.toMatchObject({ code: 404 });
  const token = await first.token(as.user(7n));
  const headers = { "x-cloud-access-token": token! };
  const url = "http://edgehelm.test/NSDomainGroupService/findAllNSDomainGroups";
  const foreign = await second.fetch(new Request(url, { method: "POST", body: "{}", headers }));
  expect(await foreign.json()).toMatchObject({ code: 401 });
});
