import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { CuttingProxy } from "../servers/cutting_proxy.ts";
import { Sqld } from "../servers/sqld.ts";
import { ANY_PORTS, CHOSEN_KEY, Server } from "./server.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ROUNDS = fileURLToPath(new URL("../fixtures/rounds", import.meta.url));

/** An event of the job of the plugin `rounds`, in commit order. */
export interface RoundStep {
  readonly run: string;
  readonly step: "began" | "ended";
  readonly at: number;
}

/** Several server processes on one libSQL server, each behind a proxy that can cut its connection. */
export class Instances implements AsyncDisposable {
  readonly #directory: string;
  readonly #sqld: Sqld;
  readonly #environments: readonly Record<string, string>[];
  readonly proxies: readonly CuttingProxy[];
  readonly servers: Server[];
  /** The output of processes that were restarted. */
  readonly #outputs: string[] = [];

  private constructor(
    directory: string,
    sqld: Sqld,
    proxies: readonly CuttingProxy[],
    environments: readonly Record<string, string>[],
    servers: Server[],
  ) {
    this.#directory = directory;
    this.#sqld = sqld;
    this.proxies = proxies;
    this.#environments = environments;
    this.servers = servers;
  }

  /** @param settings the installation manifest, without its plugins */
  static async start(count: number, plugins: readonly string[], settings: object = {}): Promise<Instances> {
    const directory = await mkdtemp(join(tmpdir(), "edgehelm-instances-"));
    const manifest = join(directory, "manifest.json");
    const uses = [...plugins, ROUNDS].map((use) => ({ use }));
    await writeFile(manifest, JSON.stringify({ ...settings, plugins: uses }));
    const sqld = await Sqld.start(join(directory, "sqld"));
    const proxies = await Promise.all(Array.from({ length: count }, () => CuttingProxy.start(sqld.port)));
    const environments = proxies.map(({ url }, index) => ({
      EDGEHELM_DATA: join(directory, `data${index}`),
      EDGEHELM_MANIFEST: manifest,
      EDGEHELM_DATABASE_URL: url,
      EDGEHELM_KEY: "33".repeat(32),
      ...ANY_PORTS,
      ...CHOSEN_KEY,
    }));
    const servers = await Promise.all(environments.map((environment) => Server.start(environment)));
    return new Instances(directory, sqld, proxies, environments, servers);
  }

  /** Restarts an instance that has ended. */
  async restart(index: number): Promise<void> {
    this.#outputs.push(this.servers[index]!.output);
    this.servers[index] = await Server.start(this.#environments[index]!);
  }

  /** The output of all processes so far. */
  get output(): string {
    return [...this.#outputs, ...this.servers.map(({ output }) => output)].join("");
  }

  /** Returns the events of the job, as one instance reads them. */
  async rounds(server: Server): Promise<RoundStep[]> {
    const { data, message } = await server.post("/ProbeService/look", { text: "rounds" });
    if (data.text === undefined) throw new Error(message);
    return JSON.parse(data.text);
  }

  /** Returns the index of the instance that ran a round. */
  holderOf(run: string): number {
    return this.servers.findIndex(({ output }) => output.includes(run));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.servers) server.kill();
    await Promise.all(this.servers.map(({ ended }) => ended));
    await Promise.all(this.proxies.map((proxy) => proxy[Symbol.asyncDispose]()));
    await this.#sqld.kill();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

/** A DNS node in its own process, connected to one instance. */
export class ConnectedNode {
  /** The codes of the received messages, and `end` when the stream ended. */
  readonly codes: string[] = [];
  readonly #child: ChildProcess;

  constructor(server: Server, uniqueId: string, secret: string) {
    const args = ["test/clients/ns_node.mjs", new URL(server.grpcUrl).host, uniqueId, secret, ROOT];
    this.#child = spawn("node", args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
    createInterface({ input: this.#child.stdout! }).on("line", (line) => this.codes.push(JSON.parse(line).code));
  }

  stop(): void {
    if (this.#child.exitCode === null && this.#child.signalCode === null) process.kill(this.#child.pid!, "SIGKILL");
  }
}
