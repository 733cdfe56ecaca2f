import { randomInt } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readDatabase } from "../../harness/read_database.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, type Server } from "../../harness/server.ts";
import { PLUGINS, Site } from "../../plugins/node_installation/rig.ts";
import { nodePackage } from "../../servers/node_program.ts";
import { type Sshd, startSshd } from "../../servers/sshd.ts";
import { JumpingServer } from "../clock/jumping_server.ts";
import { type InstalledNode, InstalledProgram } from "./installed_program.ts";

/** Longer than an installation may be silent, and than a lease. */
const JUMP_MILLISECONDS = 15_000;
/** Large enough for an upload that takes some time. */
const PADDING = 3_000_000;
const PAUSE_MILLISECONDS = 50;
/** An installation that takes longer hangs. */
const MAX_LOOKS = 3000;
/** Below the ports that the system gives out, so that a server can be started again on its own ones. */
const [MIN_PORT, MAX_PORT] = [20_000, 32_000];

/** An installation, and a machine with a DNS node and an edge node. */
export class InstallSite implements AsyncDisposable {
  readonly sshd: Sshd;
  readonly #environment: Record<string, string>;
  readonly #jumping: JumpingServer;
  #site!: Site;
  programs: readonly InstalledProgram[] = [];

  private constructor(sshd: Sshd, environment: Record<string, string>) {
    this.sshd = sshd;
    this.#environment = environment;
    this.#jumping = new JumpingServer(environment, JUMP_MILLISECONDS);
  }

  static async open(): Promise<InstallSite> {
    const sshd = await startSshd({ notesCommands: true });
    const installDirectory = `${sshd.folder}/apps`;
    const plugins = [...PLUGINS, "installation", { use: "node_installation", config: { installDirectory } }];
    const settings = { outbound: { allow: ["127.0.0.0/8"] } };
    const directory = await installationDirectory(plugins, settings);
    const [http, grpc] = [await freePort(), await freePort()];
    const ports = { EDGEHELM_HTTP_PORT: String(http), EDGEHELM_GRPC_PORT: String(grpc) };
    const site = new InstallSite(sshd, { ...directory, ...CHOSEN_KEY, ...ports });
    await site.#jumping.start();
    site.#site = Site.on(site.server);
    const grantId = await site.#site.grant();
    const dns: InstalledNode = { role: "dns", id: await site.#site.dnsNode(sshd, grantId), program: "edge-dns" };
    const { nodeId } = await site.#site.edgeNode(sshd, grantId, installDirectory);
    const edge: InstalledNode = { role: "node", id: nodeId, program: "edge-node" };
    site.programs = [dns, edge].map((node) => new InstalledProgram(sshd, node, `${installDirectory}/${node.program}`));
    return site;
  }

  /** Uploads new packages of both programs. */
  async upload(version: string): Promise<void> {
    for (const program of this.programs) {
      const { program: name } = program.node;
      const test = `while [ -e "${this.#holdFile}" ]; do sleep 0.1; done`;
      const made = await nodePackage({ name, version, test, padding: PADDING });
      await this.#site.uploadPackage(made);
      program.expect(made.content);
    }
  }

  get #holdFile(): string {
    return `${this.sshd.folder}/hold`;
  }

  /** Lets the commands of the step "test" go on until they are let go, also when the server dies. */
  hold(): void {
    writeFileSync(this.#holdFile, "");
  }

  letGo(): void {
    rmSync(this.#holdFile, { force: true });
  }

  /** Asks for an installation. */
  async ask({ role, id }: InstalledNode): Promise<void> {
    if (role === "dns") await this.#site.call("NSNodeService/installNSNode", { nsNodeId: id });
    else await this.#site.call("NodeService/installNode", { nodeId: id });
  }

  /** Waits for the end of the installation of a node. */
  async ended({ role, id }: InstalledNode): Promise<{ readonly state: string; readonly error?: string }> {
    for (let look = 0; look < MAX_LOOKS; look++) {
      const found = await this.#site.find(role, id);
      if (found.state !== "waiting" && found.state !== "running") return found;
      await wait(PAUSE_MILLISECONDS);
    }
    throw new Error(`the installation on ${role} node ${id} did not end`);
  }

  /** Installs the DNS node, and waits until its stream is open. */
  async connect(): Promise<void> {
    const { node } = this.programs[0]!;
    await this.ask(node);
    await this.ended(node);
    const command = { nsNodeId: node.id, code: "ping", timeoutSeconds: 1 };
    for (let look = 0; look < MAX_LOOKS; look++) {
      const { message } = await this.#site.call("NSNodeService/sendCommandToNSNode", command);
      // the program answers no commands, but gets them
      if (message === "response timeout over 1 seconds") return;
      await wait(PAUSE_MILLISECONDS);
    }
    throw new Error("the DNS node did not connect");
  }

  /** Begins waiting installations, and ends silent ones, as the server does every five seconds. */
  async sweep(): Promise<void> {
    await this.#site.call("InstallationService/runInstallationJob", { jobName: "node_installation.sweep" });
  }

  /** Returns how far the installation of a node is; undefined if there was none. */
  progressOf({ role, id }: InstalledNode): { readonly phase: string; readonly step: string } | undefined {
    const path = join(this.#environment["EDGEHELM_DATA"]!, "edgehelm.db");
    const sql = `select phase, steps from nodeInstallations where role = '${role}' and nodeId = ${id}`;
    const [row] = readDatabase(path, sql);
    if (row === undefined) return undefined;
    const steps = JSON.parse(String(row[1])) as { readonly code: string }[];
    return { phase: String(row[0]), step: steps.at(-1)?.code ?? "" };
  }

  get server(): Server {
    return this.#jumping.current;
  }

  /** Waits for the end of a server that was killed, and starts another one at a later time. */
  async restart(): Promise<void> {
    await this.#jumping.restart();
    this.#site = Site.on(this.server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#jumping.kill();
    await this.sshd[Symbol.asyncDispose]();
    await removeInstallation(this.#environment);
  }
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(MIN_PORT, MAX_PORT);
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer().once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
