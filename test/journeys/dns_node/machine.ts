import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, vi } from "vitest";
import { packAgent } from "../../../plugins/ns_node/agent/build.ts";
import { DNSSite } from "../../plugins/ns_node/agent/rig.ts";
import { Site } from "../../plugins/node_installation/rig.ts";
import { delv } from "../../servers/delv.ts";
import { dig, short, startKnotOn } from "../../servers/knot.ts";
import { geoip, geoipRuns } from "../../servers/geoip/knot_geoip.ts";
import { freePort } from "../../servers/nsd.ts";
import { type Sshd, startSshd } from "../../servers/sshd.ts";
import { Transcript } from "./transcript.ts";

const MORE = ["file", "file_chunk", "node", "node_cluster", "node_grant"];
/** A machine with much to do is slow; the journey waits for states, and only a hang ends by this limit. */
export const WAIT = { timeout: 120_000, interval: 100 };
/** So that nothing is waited for longer than needed. */
const ENVIRONMENT = { EDGE_DNS_CHECK_SECONDS: "0.2", EDGE_DNS_UPLOAD_SECONDS: "1" };

/** An empty installation, and a machine with nothing but Knot that accepts SSH. */
export class Journey implements AsyncDisposable {
  readonly transcript = new Transcript();
  readonly dns: DNSSite;
  readonly site: Site;
  readonly sshd: Sshd;
  readonly port: number;
  /** True if Knot has what it needs to respond by route. */
  readonly hasRoutes = geoipRuns();
  nsNodeId = 0;

  private constructor(dns: DNSSite, sshd: Sshd, port: number) {
    this.dns = dns;
    this.site = Site.on(dns.server);
    this.sshd = sshd;
    this.port = port;
  }

  static async begin(): Promise<Journey> {
    const sshd = await startSshd({ environment: ENVIRONMENT });
    const installation = { use: "node_installation", config: { installDirectory: `${sshd.folder}/apps` } };
    const dns = await DNSSite.open([...MORE, installation], { outbound: { allow: ["127.0.0.0/8"] } });
    const journey = new Journey(dns, sshd, await freePort());
    await startKnotOn(sshd, journey.port, journey.hasRoutes ? geoip() : {});
    return journey;
  }

  /** The server to ask, as the helpers of agents want it. */
  get knot() {
    return {
      short: (name: string, type: string) => short(this.port, name, type),
      dig: (...args: readonly string[]) => dig(this.port, ...args),
    };
  }

  /** Calls an operation as an admin, and notes it. */
  // deno-lint-ignore no-explicit-any -- the shape of the response depends on the operation
  async call(path: string, request: object): Promise<any> {
    const data = await this.dns.call(path, request);
    this.transcript.note(`POST /${path} ${JSON.stringify(request)}`, data);
    return data;
  }

  /** Uploads the program, and installs it over SSH as an admin does. Returns the steps. */
  async install(): Promise<readonly { code: string }[]> {
    const folder = await mkdtemp(join(tmpdir(), "edgehelm-packed-"));
    try {
      const archive = await packAgent(folder, "1.0.0");
      await this.site.uploadPackage({ filename: basename(archive), content: await readFile(archive) });
    } finally {
      await rm(folder, { recursive: true });
    }
    this.nsNodeId = await this.site.dnsNode(this.sshd, await this.site.grant());
    const { nsNode } = await this.dns.call("NSNodeService/findNSNode", { nsNodeId: this.nsNodeId });
    this.dns.nsClusterId = nsNode.nsCluster.id;
    const { state, version, steps, error } = await this.site.install(this.nsNodeId);
    this.transcript.note(`POST /NSNodeService/installNSNode {"nsNodeId":${this.nsNodeId}}`, {
      ...{ state, version, error },
      steps: steps.map(({ code }: { code: string }) => code),
    });
    return steps;
  }

  /** Kills the program without a chance to write anything. */
  killAgent(): void {
    const command = `kill -9 $(cat ${this.root}/run.pid)`;
    this.sshd.run(command);
    this.transcript.note(command.replaceAll(this.sshd.folder, ""), "");
  }

  async startAgent(): Promise<void> {
    const { isOk, error } = await this.call("NSNodeService/startNSNode", { nsNodeId: this.nsNodeId });
    if (!isOk) throw new Error(error);
  }

  get root(): string {
    return `${this.sshd.folder}/apps/edge-dns`;
  }

  /** Notes what dig prints about a name. */
  async noteDig(...args: readonly string[]): Promise<string> {
    const output = await this.knot.dig("+noall", "+answer", "+comments", ...args);
    const lines = output.split("\n").filter((line) => !line.startsWith(";") || line.includes("status:"));
    this.transcript.note(
      `dig ${args.map((arg) => arg.replace(/(hmac-[^:]+:[^:]+:).*/, "$1…")).join(" ")}`,
      lines.join("\n"),
    );
    return output;
  }

  /** Waits until a name is valid from the DS records of its zone, as a resolver validates it. */
  async validates(port: number, zone: string, ds: readonly string[], name: string): Promise<void> {
    const output = await vi.waitFor(async () => {
      const output = await delv(port, zone, ds, name, "A");
      expect(output).toContain("; fully validated");
      return output;
    }, WAIT);
    this.transcript.note(`delv +root=${zone} ${name} A`, output);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.transcript.part("The log of the program");
    this.transcript.note("tail -n 12 program.log", this.sshd.run(`tail -n 12 ${this.root}/program.log; ls /run/knot`));
    await this.transcript.save();
    await this.dns[Symbol.asyncDispose]();
    await this.sshd[Symbol.asyncDispose]();
  }
}

/** A site at an address of this machine that can go down and come up. */
export class Address implements AsyncDisposable {
  readonly address: string;
  port = 0;
  #server: Server | undefined;

  constructor(address: string) {
    this.address = address;
  }

  async up(port = this.port): Promise<this> {
    const server = this.#server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, this.address, resolve));
    this.port = (server.address() as { port: number }).port;
    return this;
  }

  async down(): Promise<void> {
    await new Promise((resolve) => this.#server?.close(resolve) ?? resolve(undefined));
    this.#server = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down();
  }
}
