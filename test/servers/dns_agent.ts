import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { apiYaml, type NodeConfiguration } from "../../plugins/node_installation/configuration.ts";
import { bundleAgent } from "../../plugins/ns_node/agent/build.ts";
import type { Knot } from "./knot.ts";

let bundle: Promise<string> | undefined;

/** Bundles the agent once in this process, and returns the path of the bundle. */
export function agentBundle(): Promise<string> {
  return bundle ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), "edgehelm-agent-"));
    process.once("exit", () => void rm(folder, { recursive: true, force: true }));
    const path = join(folder, "edge-dns.mjs");
    await bundleAgent(path);
    return path;
  })();
}

/** An agent in a process of its own, with the configuration that an installation over SSH writes. */
export class DNSAgent implements AsyncDisposable {
  readonly folder: string;
  readonly #knot: Knot;
  #child: ChildProcess | undefined;
  #ended: Promise<number | null> = Promise.resolve(null);
  output = "";

  readonly #environment: Readonly<Record<string, string>>;

  private constructor(folder: string, knot: Knot, environment: Readonly<Record<string, string>>) {
    this.#environment = environment;
    this.folder = folder;
    this.#knot = knot;
  }

  static async start(
    configuration: NodeConfiguration,
    knot: Knot,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<DNSAgent> {
    const folder = await mkdtemp(join(tmpdir(), "edgehelm-node-"));
    await mkdir(join(folder, "configs"));
    const agent = new DNSAgent(folder, knot, environment);
    await agent.configure(configuration);
    await agent.restart();
    return agent;
  }

  async configure(configuration: NodeConfiguration): Promise<void> {
    await writeFile(join(this.folder, "configs", "api.yaml"), apiYaml(configuration), { mode: 0o600 });
  }

  /** @param program the runtime, with its first arguments */
  async restart(program: readonly string[] = ["node"]): Promise<void> {
    const child = await this.#spawn(program, []);
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once("close", resolve));
  }

  /** Runs the test of an installation, and returns its exit code and what it prints. */
  async test(): Promise<{ readonly code: number | null; readonly output: string }> {
    const from = this.output.length;
    const child = await this.#spawn(["node"], ["test"]);
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    return { code, output: this.output.slice(from) };
  }

  /** Ends the agent, and returns its exit code; null if a signal ended it. */
  async kill(signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): Promise<number | null> {
    const child = this.#child;
    // not child.kill(), after which Deno loses the exit code
    if (child !== undefined && child.exitCode === null && child.signalCode === null) process.kill(child.pid!, signal);
    return await this.#ended;
  }

  async #spawn([program, ...flags]: readonly string[], args: readonly string[]): Promise<ChildProcess> {
    const env = {
      ...process.env,
      EDGE_DNS_KNOT_SOCKET: this.#knot.socket,
      EDGE_DNS_CHECK_SECONDS: "0.1",
      EDGE_DNS_UPLOAD_SECONDS: "1",
      ...this.#environment,
    };
    const child = spawn(program!, [...flags, await agentBundle(), ...args], { cwd: this.folder, env });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => this.output += chunk);
    return child;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}
