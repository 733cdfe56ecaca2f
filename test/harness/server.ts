import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

export const MAIN = fileURLToPath(new URL("../../core/host/cli/main.ts", import.meta.url));
export const KEY = { id: "testaccesskey001", secret: "testaccesssecret0000000000000001" };

/** A command that runs a TypeScript module: the program and its first arguments. */
export type Runtime = readonly string[];
/** The runtime that runs this test. */
export const THIS_RUNTIME: Runtime = "Deno" in globalThis
  ? [process.execPath, "run", "-A", "--quiet"]
  : [process.execPath];

/** The result of a command of Edgehelm. */
export interface CommandResult {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a command in its own process and waits for its exit. */
export function runToEnd(args: readonly string[], environment: Record<string, string>): Promise<CommandResult> {
  const { child, output } = start(THIS_RUNTIME, args, environment);
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output: output() })));
}

function start(runtime: Runtime, args: readonly string[], environment: Record<string, string>, main = MAIN) {
  const [program, ...flags] = runtime;
  const child = spawn(program!, [...flags, main, ...args], { env: { ...process.env, ...environment } });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => text += chunk);
  return { child, output: () => text };
}

/**
 * Creates a directory with an installation manifest for the plugins.
 *
 * @param plugins names, or names with configurations
 * @param settings the other settings of the manifest
 * @returns the environment variables for the installation
 */
export async function installationDirectory(
  plugins: readonly (string | { readonly use: string; readonly config: object })[],
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, string>> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  const manifest = join(directory, "manifest.json");
  await writeFile(
    manifest,
    JSON.stringify({ ...settings, plugins: plugins.map((use) => typeof use === "string" ? { use } : use) }),
  );
  return { EDGEHELM_DATA: join(directory, "data"), EDGEHELM_MANIFEST: manifest, ...ANY_PORTS };
}

export async function removeInstallation({ EDGEHELM_MANIFEST }: Record<string, string>): Promise<void> {
  await rm(join(EDGEHELM_MANIFEST!, ".."), { recursive: true, force: true });
}

/** Ports that the system chooses. */
export const ANY_PORTS = { EDGEHELM_HTTP_PORT: "0", EDGEHELM_GRPC_PORT: "0", EDGEHELM_METRICS_PORT: "0" };

/** The environment variables that choose the first admin access key. */
export const CHOSEN_KEY = { EDGEHELM_ADMIN_ACCESS_KEY_ID: KEY.id, EDGEHELM_ADMIN_ACCESS_KEY: KEY.secret };

/** The JSON envelope of a response. */
export interface Envelope {
  readonly code: number;
  readonly message: string;
  // deno-lint-ignore no-explicit-any -- the shape of the data depends on the operation
  readonly data: any;
}

/** A server in its own process. */
export class Server {
  readonly url: string;
  readonly grpcUrl: string;
  /** Resolves with the exit code, or null if a signal ended the process. */
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

  /**
   * Starts a server and waits until it listens.
   *
   * @throws Error with its output if the server exits before
   */
  static start(
    environment: Record<string, string>,
    runtime: Runtime = THIS_RUNTIME,
    main = MAIN,
    command: "start" | "dev" = "start",
  ): Promise<Server> {
    const { child, output } = start(runtime, [command], environment, main);
    return new Promise((resolve, reject) => {
      child.stdout.on("data", function onData() {
        const [url, grpcUrl] = [...output().matchAll(/listening on (\S+)\n/g)].map(([, match]) => match!);
        if (grpcUrl === undefined) return;
        child.stdout.removeListener("data", onData);
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

  /** Returns the metrics, which have an address of their own. */
  async metrics(): Promise<string> {
    return await (await fetch(await this.metricsUrl())).text();
  }

  /** Returns the address of the metrics, which the log names soon after the start. */
  async metricsUrl(): Promise<string> {
    return (await this.untilLogged(/"message":"metrics are served","url":"([^"]+)"/))[1]!;
  }

  /**
   * Waits until the output matches. It may match already.
   *
   * @throws Error with the output if the server ends before
   */
  async untilLogged(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match !== null) return match;
      const { stdout, stderr } = this.#child;
      const outcome = await Promise.race([this.ended, once(stdout!, "data"), once(stderr!, "data")]);
      if (!Array.isArray(outcome)) throw new Error(`the server ended without ${pattern} in its output: ${this.output}`);
    }
  }

  /** Posts as the first admin and returns the envelope. */
  async post(path: string, request: unknown): Promise<Envelope> {
    return await this.#post(path, request, { "x-cloud-access-token": await this.adminToken() });
  }

  /** Returns an access token of the first admin. */
  async adminToken(): Promise<string> {
    return this.#token ??= await this.token(KEY.id, KEY.secret);
  }

  /** Posts with an access token and returns the envelope. */
  postWith(
    token: string,
    path: string,
    request: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Envelope> {
    return this.#post(path, request, { ...headers, "x-cloud-access-token": token });
  }

  /** Posts without a token and returns the envelope. */
  postAnonymously(path: string, request: unknown): Promise<Envelope> {
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

  /** Suspends the process until `resume`. */
  suspend(): void {
    process.kill(this.pid, "SIGSTOP");
  }
  resume(): void {
    process.kill(this.pid, "SIGCONT");
  }

  /** Kills the process if it still runs. */
  kill(): void {
    if (this.#child.exitCode === null && this.#child.signalCode === null) process.kill(this.pid, "SIGKILL");
  }

  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null> {
    // Not child.kill(), after which Deno loses the exit code.
    process.kill(this.pid, "SIGTERM");
    return this.ended;
  }
}
