import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { as, type TestKernel } from "edgehelm/testing";
import { postJson } from "../../../core/client/http_json.ts";
import { ApiDocument } from "../../../core/host/api_cli/api_document.ts";
import { applyCommand, exportCommand, planCommand, type Target } from "../../../core/host/configuration/command.ts";

/** Commands on an installation in this process, and the paths of the calls that they make. */
export interface ConfigurationRig {
  readonly calls: string[];
  /** The writes among the calls. */
  writes(): string[];
  export(folder: string, ...flags: string[]): Promise<string[]>;
  plan(folder: string, ...flags: string[]): Promise<string[]>;
  apply(folder: string, ...flags: string[]): Promise<string[]>;
}

const READS = /\/(find|list|read)[A-Z]/;

/** Returns the commands of an admin of an installation. */
export async function rigOf(
  edgehelm: TestKernel,
  fails: (path: string) => boolean = () => false,
): Promise<ConfigurationRig> {
  const overKernel = async (input: string | URL | Request, init?: RequestInit) =>
    await edgehelm.fetch(new Request(input, init));
  const document = new ApiDocument(await (await overKernel("http://edgehelm.test/openapi.json")).json());
  const token = await edgehelm.token(as.admin());
  const calls: string[] = [];
  const target: Target = {
    document,
    session: {
      async call(path, body) {
        calls.push(path);
        if (fails(path)) throw new Error(`${path} fails`);
        const headers = { "x-cloud-access-token": token! };
        return await postJson(path, body, {
          baseUrl: "http://edgehelm.test",
          fetch: overKernel as typeof fetch,
          headers,
          signal: undefined,
        });
      },
    },
  };
  return {
    calls,
    writes: () => calls.filter((path) => !READS.test(path)),
    export: (folder, ...flags) => exportCommand(target, [folder, ...flags]),
    plan: (folder, ...flags) => planCommand(target, [folder, ...flags]),
    apply: (folder, ...flags) => applyCommand(target, [folder, "--yes", "--json", ...flags]),
  };
}

/** A folder that is removed in the end. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "edgehelm-files-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Returns the files of a folder with their contents. */
export async function contents(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path, "utf8")])),
  );
}

/** Changes a file of a folder. */
export async function edit(folder: string, file: string, change: (text: string) => string): Promise<void> {
  const path = join(folder, file);
  await writeFile(path, change(await readFile(path, "utf8")));
}
