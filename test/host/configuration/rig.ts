import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { stringify } from "yaml";
import { postJson } from "../../../core/client/post_json.ts";
import { ApiDocument } from "../../../core/host/api_cli/api_document.ts";
import { isReplay } from "../../../core/host/api_cli/session.ts";
import { applyCommand, exportCommand, planCommand, type Target } from "../../../core/host/configuration/command.ts";
import { withoutProviders } from "../../harness/acme_connections.ts";
import { firstParty } from "../../matrix/plugins.ts";
import { hosts } from "../../matrix/world.ts";

/** Commands on an installation in this process, and the paths of the calls that they make. */
export interface ConfigurationRig {
  readonly calls: string[];
  /** The writes among the calls. */
  writes(): string[];
  export(folder: string, ...flags: string[]): Promise<readonly string[]>;
  plan(folder: string, ...flags: string[]): Promise<readonly string[]>;
  apply(folder: string, ...flags: string[]): Promise<readonly string[]>;
}

const READS = /\/(find|list|read)[A-Z]/;

/**
 * Returns the commands of an admin of an installation.
 *
 * @param fails returns true for a call that does not reach it
 * @param hides returns true for a list that has nothing yet
 */
export async function rigOf(
  edgehelm: TestKernel,
  fails: (path: string) => boolean = () => false,
  hides: (path: string) => boolean = () => false,
): Promise<ConfigurationRig> {
  const overKernel = async (input: string | URL | Request, init?: RequestInit) =>
    await edgehelm.fetch(new Request(input, init));
  const document = new ApiDocument(await (await overKernel("http://edgehelm.test/openapi.json")).json());
  const token = await edgehelm.token(as.admin());
  const calls: string[] = [];
  const target: Target = {
    document,
    session: {
      async call(path, body, { idempotencyKey, onReplay } = {}) {
        calls.push(path);
        if (fails(path)) throw new Error(`${path} fails`);
        if (hides(path)) return {};
        const headers = {
          "x-cloud-access-token": token!,
          ...idempotencyKey !== undefined && { "idempotency-key": idempotencyKey },
        };
        return await postJson(path, body, {
          baseUrl: "http://edgehelm.test",
          fetch: overKernel as typeof fetch,
          headers,
          signal: undefined,
          onHeaders: (headers) => isReplay(headers) && onReplay?.(),
        });
      },
    },
  };
  return {
    calls,
    writes: () => calls.filter((path) => !READS.test(path)),
    export: async (folder, ...flags) => (await exportCommand(target, [folder, ...flags])).lines,
    plan: async (folder, ...flags) => (await planCommand(target, [folder, ...flags])).lines,
    apply: async (folder, ...flags) => (await applyCommand(target, [folder, "--yes", "--json", ...flags])).lines,
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

const KEYS = new URL("../../fixtures/certificates/", import.meta.url);

/** The secrets that the files of the example name. */
async function exampleSecrets(): Promise<Record<string, string>> {
  return {
    "NodeGrant/deploy/password": "correct horse",
    "User/alice/password": "alice walks in the rain",
    "User/bob/password": "bob walks in the rain",
    "NSKey/example.com/transfer/secret": "c2VjcmV0IG9mIGEga2V5IHRoYXQgaXMgbG9uZw==",
    "MessageMediaInstance/Mail/params.password": "mail secret",
    "Admin/admin/password": "the first one has another",
    "Admin/carol/password": "carol walks in the rain",
    "ACMEProviderAccount/zerossl/ZeroSSL/eabKey": "c2VjcmV0LWtleQ",
    "SSLCert/site/keyData": await readFile(new URL("rsa_pkcs8.key", KEYS), "utf8"),
  };
}

/** Writes the secrets of the example to a folder. */
export async function writeExampleSecrets(folder: string): Promise<void> {
  await writeFile(join(folder, "secrets.yaml"), stringify(await exampleSecrets()), { mode: 0o600 });
}

/** Returns a folder with the files of the example, which have objects of every kind, and their secrets. */
export async function exampleFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await temporaryFolder();
  await cp(new URL("./example", import.meta.url), folder.path, { recursive: true });
  await mkdir(join(folder.path, "files"));
  await cp(new URL("rsa.pem", KEYS), join(folder.path, "files/site.pem"));
  await writeExampleSecrets(folder.path);
  return folder;
}

/** Opens an installation with all plugins. */
export async function openInstallation(): Promise<TestKernel> {
  return await testKernel({
    plugins: firstParty.map(withoutProviders),
    clock: new TestClock(Date.UTC(2026, 4, 20, 9)),
    config: { ns_node: { taskPollMilliseconds: 5 } },
    hosts,
  });
}
