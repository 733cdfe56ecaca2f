import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../../harness/server.ts";
import { pluginFolders } from "../../matrix/plugins.ts";
import { root } from "../../rules/generated.ts";
import { npmProgramRuns } from "../../servers/npm_program.ts";
import { schemathesisCommand } from "../../servers/pip_program.ts";

const SPECTRAL = npmTool("@stoplight/spectral-cli", "6.16.3");
const OPENAPI_TYPESCRIPT = npmTool("openapi-typescript", "7.13.0");

/** The limit of requests that are derived from each operation. */
const EXAMPLES = Number(process.env.TEST_OPENAPI_EXAMPLES ?? 2);

let folder: string;
let installation: Record<string, string>;
let server: Server;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgehelm-openapi-"));
  const contact = { contactName: "API", contactUrl: "https://example.com/api", contactEmail: "api@example.com" };
  const plugins = pluginFolders.map((use) => use === "openapi" ? { use, config: contact } : use);
  installation = await installationDirectory(plugins, { http: { errorStatus: "mirror" }, log: { level: "error" } });
  server = await Server.start({ ...installation, ...CHOSEN_KEY });
  await writeFile(join(folder, "openapi.json"), await (await fetch(`${server.url}/openapi.json`)).text());
});
afterAll(async () => {
  await server.stop();
  await removeInstallation(installation);
  await rm(folder, { recursive: true });
});

function npmTool(name: string, version: string) {
  const folder = join(tmpdir(), `edgehelm-${name.replace("/", "-")}-${version}`);
  return { name: `${name}@${version}`, folder, file: `node_modules/${name}/package.json` };
}

/** Runs a program and returns its exit code and output. */
function run(program: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) =>
    execFile(program, args, { cwd: folder, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` });
    })
  );
}

test.runIf(npmProgramRuns(SPECTRAL))("Spectral finds nothing in the document, with all its rules", async () => {
  await writeFile(join(folder, "ruleset.yaml"), 'extends: [["spectral:oas", "all"]]\n');
  const spectral = join(SPECTRAL.folder, "node_modules/@stoplight/spectral-cli/dist/index.js");
  const { code, output } = await run("node", [spectral, "lint", "-r", "ruleset.yaml", "-F", "hint", "openapi.json"]);
  expect(output).toContain("No results with a severity of 'hint' or higher found!");
  expect(code).toBe(0);
});

test.runIf(npmProgramRuns(OPENAPI_TYPESCRIPT))(
  "openapi-typescript makes types that a client compiles with",
  async () => {
    const generator = join(OPENAPI_TYPESCRIPT.folder, "node_modules/openapi-typescript/bin/cli.js");
    expect((await run("node", [generator, "openapi.json", "-o", "api.ts"])).code).toBe(0);
    const client = (name: string) => `
import type { paths } from "./api.ts";
type Operation<Path extends keyof paths> = paths[Path]["post"];
export type Request<Path extends keyof paths> = Operation<Path>["requestBody"]["content"]["application/json"];
export type Response<Path extends keyof paths> = Operation<Path>["responses"][200]["content"]["application/json"];
export async function call<Path extends keyof paths>(path: Path, request: Request<Path>): Promise<Response<Path>> {
  return await (await fetch(path, { method: "POST", body: JSON.stringify(request) })).json();
}
const created = await call("/NSClusterService/createNSCluster", { name: "eu", hosts: ["ns1.example.net"] });
if (created.code === 200) {
  await call("/NSDomainService/createNSDomain", { nsClusterId: created.data.nsClusterId, ${name}: "example.com" });
} else console.error(created.reason);
`;
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const options = [
      "--noEmit",
      "--strict",
      "--target",
      "es2024",
      "--module",
      "nodenext",
      "--allowImportingTsExtensions",
    ];
    const compile = async (name: string) => {
      await writeFile(join(folder, "client.mts"), client(name));
      return await run("node", [tsc, ...options, "client.mts"]);
    };
    expect(await compile("name")).toEqual({ code: 0, output: "" });
    expect((await compile("nam")).output).toContain("'nam' does not exist in type");
  },
);

const schemathesis = schemathesisCommand();
test.runIf(schemathesis !== undefined)(
  "schemathesis finds no response that the document does not describe",
  async () => {
    const [program, ...args] = schemathesis!;
    const checks = [
      "not_a_server_error",
      "status_code_conformance",
      "content_type_conformance",
      "response_schema_conformance",
    ];
    const { code, output } = await run(program!, [
      ...args,
      "run",
      `${server.url}/openapi.json`,
      ...["--header", `X-Cloud-Access-Token: ${await server.adminToken()}`],
      ...["--checks", checks.join(), "--phases", "fuzzing", "--seed", "1", "--no-color"],
      // it says with 503 that this installation has nothing that sends messages
      ...["--exclude-path", "/MessageMediaService/sendMediaMessage"],
      ...["--max-examples", String(EXAMPLES), "--workers", "2", "--warnings", "off"],
    ]);
    expect(code, output).toBe(0);
  },
);
