import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

export const MAIN = fileURLToPath(new URL("../../core/host/cli/main.ts", import.meta.url));
export const KEY = { id: "testaccesskey001", secret: "testaccesssecret0000000000000001" };

/** How to run a TypeScript module: the program and its first arguments. */
export type Runtime = readonly string[];
/** The runtime that runs this test. */
export const THIS_RUNTIME: Runtime = "Deno" in globalThis
  ? [process.execPath, "run", "-A", "--quiet"]
  : [process.execPath];

/** A command of Edgehelm that ran to its end. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a command in a process of its own and waits for its end. */
export function runToEnd(words: readonly string[], environment: Record<string, string>): Promise<Ended> {
  const { child, output } = start(THIS_RUNTIME, words, environment);
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output: output() })));
}

function start(runtime: Runtime, words: readonly string[], environment: Record<string, string>, main = MAIN) {
  const [program, ...flags] = runtime;
  const child = spawn(program!, [...flags, main, ...words], { env: { ...process.env, ...environment } });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => text += chunk);
  return { child, output: () => text };
}

/**
 * A directory with an installation manifest that names these plugins.
 *
 * @param settings the rest of the manifest
 */
export async function installationDirectory(
  plugins: readonly string[],
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, string>> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  const manifest = join(directory, "manifest.json");
  await writeFile(manifest, JSON.stringify({ ...settings, plugins: plugins.map((use) => ({ use })) }));
  return { EDGEHELM_DATA: join(directory, "data"), EDGEHELM_MANIFEST: manifest, ...ANY_PORTS };
}

export async function removeInstallation({ EDGEHELM_MANIFEST }: Record<string, string>): Promise<void> {
  await rm(join(EDGEHELM_MANIFEST!, ".."), { recursive: true, force: true });
}

/** Ports that the system chooses. */
export const ANY_PORTS = { EDGEHELM_HTTP_PORT: "0", EDGEHELM_GRPC_PORT: "0" };

/** The environment that gives the first start its access key. */
export const CHOSEN_KEY = { EDGEHELM_ADMIN_ACCESS_KEY_ID: KEY.id, EDGEHELM_ADMIN_ACCESS_KEY: KEY.secret };

/** What every call answers with. */
export interface Envelope {
  readonly code: number;
  readonly message: string;
  // deno-lint-ignore no-explicit-any -- each operation has data of its own shape
  readonly data: any;
}

/** Edgehelm in a process of its own. */
export class Server {
  readonly url: string;
  readonly grpcUrl: string;
  /** Resolves with its exit code, or null if a signal ended it. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  readonly #output: () => string;
  #token: string | undefined;

  private constructor(child: ChildProcess, url: string, grpcUrl: string, output: () => string) {
    this.#child = child;
    this.url = url;
    this.grpcUrl = grpcUrl;
    this.#output = output;
    this.ended = new Promise((resolve) => child.once("close", resolve));
  }

  /** @throws Error with what it printed, when it ends before it listens */
  static start(environment: Record<string, string>, runtime: Runtime = THIS_RUNTIME, main = MAIN): Promise<Server> {
    const { child, output } = start(runtime, ["start"], environment, main);
    return new Promise((resolve, reject) => {
      child.stdout.on("data", function look() {
        const [url, grpcUrl] = [...output().matchAll(/listening on (\S+)\n/g)].map(([, found]) => found!);
        if (grpcUrl === undefined) return;
        child.stdout.removeListener("data", look);
        resolve(new Server(child, url!, grpcUrl, output));
      });
      child.once("close", (code) => reject(new Error(`ended with code ${code}: ${output()}`)));
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get output(): string {
    return this.#output();
  }

  /** Posts as the first admin and answers the envelope. */
  async post(path: string, request: unknown): Promise<Envelope> {
    return await this.#post(path, request, { "x-cloud-access-token": await this.adminToken() });
  }

  /** The token of the first admin. */
  async adminToken(): Promise<string> {
    return this.#token ??= await this.token(KEY.id, KEY.secret);
  }

  /** Posts with an access token and answers the envelope. */
  postWith(
    token: string,
    path: string,
    request: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Envelope> {
    return this.#post(path, request, { ...headers, "x-cloud-access-token": token });
  }

  /** Posts without a token and answers the envelope. */
  postAsNobody(path: string, request: unknown): Promise<Envelope> {
    return this.#post(path, request, {});
  }

  async token(accessKeyId: string, accessKey: string, type = "admin"): Promise<string> {
    const request = { type, accessKeyId, accessKey };
    const { data, message } = await this.#post("/APIAccessTokenService/getAPIAccessToken", request, {});
    if (data.token === undefined) throw new Error(message);
    return data.token;
  }

  async #post(path: string, request: unknown, headers: Record<string, string>): Promise<Envelope> {
    return await (await fetch(this.url + path, { method: "POST", headers, body: JSON.stringify(request) })).json();
  }

  /** Lets it stand still; `go` lets it go on. */
  halt(): void {
    process.kill(this.pid, "SIGSTOP");
  }
  go(): void {
    process.kill(this.pid, "SIGCONT");
  }

  /** Ends it at once, if it still runs. */
  kill(): void {
    if (this.#child.exitCode === null && this.#child.signalCode === null) process.kill(this.pid, "SIGKILL");
  }

  /** Asks it to stop and answers its exit code. */
  stop(): Promise<number | null> {
    // Not child.kill: on Deno the code of a child that was told so is lost.
    process.kill(this.pid, "SIGTERM");
    return this.ended;
  }
}
