import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ServerProcess } from "./server_process.ts";
import { type Command, startCommand } from "./start_command.ts";
import { TemporaryFolder } from "./temporary_folder.ts";

/** The first access key. */
export const KEY = { id: "benchmarkkey0001", secret: "benchmarksecret00000000000000001" };

export interface InstallationOptions {
  /** Replaces the `start` task of the checkout, for a server with other limits or on another runtime. */
  readonly command?: Command;
  /** Changes the default manifest of the checkout. */
  readonly manifest?: (manifest: Manifest) => Manifest;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The parts of an installation manifest that benches change. */
export interface Manifest {
  readonly plugins: readonly { readonly use: string; readonly config?: object }[];
  readonly limits?: Readonly<Record<string, number>>;
}

/** Edgehelm as a user runs it: default manifest, log level and limits, on a temporary folder. */
export class Installation implements AsyncDisposable {
  readonly #root: string;
  readonly #options: InstallationOptions;
  readonly #folder = new TemporaryFolder();
  #server: ServerProcess | undefined;
  #token = "";

  /** @param root the checkout that the server is run from */
  constructor(root: string, options: InstallationOptions = {}) {
    this.#root = root;
    this.#options = options;
  }

  /** An installation whose server runs. */
  static async start(root: string, options: InstallationOptions = {}): Promise<Installation> {
    const installation = new Installation(root, options);
    await installation.start();
    return installation;
  }

  get server(): ServerProcess {
    if (this.#server === undefined) throw new Error("the server of this installation does not run");
    return this.#server;
  }

  get httpPort(): number {
    return this.server.ports[0]!;
  }

  get grpcPort(): number {
    return this.server.ports[1]!;
  }

  get databasePath(): string {
    return join(this.#folder.path, "edgehelm.db");
  }

  /** Headers with the access token of an admin. */
  get headers(): Readonly<Record<string, string>> {
    return { "x-cloud-access-token": this.#token };
  }

  /** Takes over the data of another one while both are stopped and nothing is left in its journal. */
  async copyData(other: Installation): Promise<void> {
    for (const name of await readdir(other.#folder.path)) {
      if (/-(wal|shm)$/.test(name)) continue;
      await cp(join(other.#folder.path, name), join(this.#folder.path, name), { recursive: true });
    }
  }

  /** Starts the server on the data of this installation. */
  async start(): Promise<void> {
    const { command = startCommand(this.#root), environment } = this.#options;
    this.#token = "";
    this.#server = await ServerProcess.start(command, {
      folder: this.#root,
      listeners: 2,
      environment: {
        EDGEHELM_DATA: this.#folder.path,
        EDGEHELM_HTTP_PORT: "0",
        EDGEHELM_GRPC_PORT: "0",
        ...this.#hasMetricsPort() && { EDGEHELM_METRICS_PORT: "0" },
        EDGEHELM_ADMIN_ACCESS_KEY_ID: KEY.id,
        EDGEHELM_ADMIN_ACCESS_KEY: KEY.secret,
        ...await this.#manifest(),
        ...environment,
      },
    });
    const request = { type: "admin", accessKeyId: KEY.id, accessKey: KEY.secret };
    this.#token = (await this.call<{ token: string }>("/APIAccessTokenService/getAPIAccessToken", request)).token;
  }

  /** Starts the server on no data, lets it be filled, and starts it again on what is there then. */
  async startFilled(fill: () => Promise<void>): Promise<void> {
    await this.stop();
    this.#folder.clear();
    await this.start();
    await fill();
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
  }

  /** One call over HTTP, outside of what is measured. */
  async call<Response>(path: string, request: unknown): Promise<Response> {
    const response = await fetch(`http://127.0.0.1:${this.httpPort}${path}`, {
      method: "POST",
      headers: this.#token === "" ? {} : this.headers,
      body: JSON.stringify(request),
    });
    const { code, data, message } = await response.json();
    if (code !== 200) throw new Error(`${path}: ${message}`);
    return data;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.#folder[Symbol.dispose]();
  }

  /** Earlier commits serve metrics on the HTTP port, and refuse a variable that they do not know. */
  #hasMetricsPort(): boolean {
    const path = join(this.#root, "core/host/settings/environment.ts");
    return readFileSync(path, "utf8").includes("EDGEHELM_METRICS_PORT");
  }

  async #manifest(): Promise<Record<string, string>> {
    const { manifest } = this.#options;
    if (manifest === undefined) return {};
    const path = join(this.#folder.path, "manifest.json");
    const standard = JSON.parse(await readFile(join(this.#root, "plugins/manifest.json"), "utf8"));
    await writeFile(path, JSON.stringify(manifest(standard)));
    return { EDGEHELM_MANIFEST: path };
  }
}
