import { createHash } from "node:crypto";
import { expect, vi } from "vitest";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../../harness/server.ts";
import { nodePackage, type ProgramOptions } from "../../servers/node_program.ts";
import { PASSWORD, type Sshd } from "../../servers/sshd.ts";

const CHUNK_BYTES = 512 * 1024;
/** A machine with much to do is slow; tests wait for states, and only a hang ends by this limit. */
const WAIT = { timeout: 90_000, interval: 250 };

/** The plugins besides node_installation. */
export const PLUGINS = [
  "access_log_segments",
  "admin",
  "api_access_token",
  "api_node",
  "file",
  "file_chunk",
  "log",
  "login",
  "node",
  "node_base",
  "node_cluster",
  "node_grant",
  "ns_cluster",
  "ns_node",
  "user_access_key",
];

/** An installation in a process of its own, with a machine on which it installs programs. */
export class Site implements AsyncDisposable {
  readonly #environment: Record<string, string>;
  server: Server;

  private constructor(environment: Record<string, string>, server: Server) {
    this.#environment = environment;
    this.server = server;
  }

  /** @param installDirectory the directory for programs on the machine */
  static async open(installDirectory: string): Promise<Site> {
    const plugins = [...PLUGINS, { use: "node_installation", config: { installDirectory } }];
    const settings = { outbound: { allow: ["127.0.0.0/8"] } };
    const environment = { ...await installationDirectory(plugins, settings), ...CHOSEN_KEY };
    return new Site(environment, await Server.start(environment));
  }

  /** Returns an installation whose server is started and stopped elsewhere. */
  static on(server: Server): Site {
    return new Site({}, server);
  }

  /** Kills the server, and starts another one on the same data. */
  async killAndRestart(): Promise<void> {
    this.server.kill();
    await this.server.ended;
    this.server = await Server.start(this.#environment);
  }

  /** Calls an operation as the first admin, and returns its response. */
  // deno-lint-ignore no-explicit-any -- the shape of the response depends on the operation
  async call(path: string, request: unknown = {}): Promise<any> {
    const { code, message, data } = await this.server.post(`/${path}`, request);
    if (code !== 200) throw new Error(message);
    return data;
  }

  /** Uploads a package in chunks. Returns its id. */
  async upload(options: ProgramOptions): Promise<number> {
    return await this.uploadPackage(await nodePackage(options));
  }

  async uploadPackage({ filename, content }: Awaited<ReturnType<typeof nodePackage>>): Promise<number> {
    const file = { filename, size: content.length, type: "package" };
    const { fileId } = await this.call("FileService/createFile", file);
    for (let at = 0; at < content.length; at += CHUNK_BYTES) {
      const data = Buffer.from(content.subarray(at, at + CHUNK_BYTES)).toString("base64");
      await this.call("FileChunkService/createFileChunk", { fileId, data });
    }
    await this.call("FileService/updateFileFinished", { fileId });
    const sha256 = createHash("sha256").update(content).digest("hex");
    const { nodePackageId } = await this.call("NodeInstallationService/createNodePackage", { fileId, sha256 });
    return nodePackageId;
  }

  async removePackage(nodePackageId: number): Promise<void> {
    await this.call("NodeInstallationService/deleteNodePackage", { nodePackageId });
  }

  async grant(grant: object = {}): Promise<number> {
    const request = { name: "test", method: "user", username: "root", password: PASSWORD, ...grant };
    return (await this.call("NodeGrantService/createNodeGrant", request)).nodeGrantId;
  }

  /** Creates a DNS node on the machine. Returns its id. */
  async dnsNode(sshd: Pick<Sshd, "port">, grantId: number): Promise<number> {
    const cluster = { name: "dns", hosts: ["ns1.edge.test"], email: "dns@edge.test" };
    const { nsClusterId } = await this.call("NSClusterService/createNSCluster", cluster);
    const nodeLogin = loginTo(sshd, grantId);
    const node = { name: "ns1", nodeClusterId: nsClusterId, nodeLogin };
    const { nsNodeId } = await this.call("NSNodeService/createNSNode", node);
    const apiNodeAddrsJSON = base64(this.addresses());
    await this.call("NSNodeService/updateNSNodeAPIConfig", { nsNodeId, apiNodeAddrsJSON });
    return nsNodeId;
  }

  /** Creates an edge node on the machine, in a cluster with this directory. Returns the ids of both. */
  async edgeNode(sshd: Pick<Sshd, "port">, grantId: number, installDir: string) {
    const cluster = { name: "edge", nodeGrantId: grantId, installDir };
    const { nodeClusterId } = await this.call("NodeClusterService/createNodeCluster", cluster);
    const node = { name: "edge1", nodeClusterId, nodeLogin: loginTo(sshd, 0) };
    const { nodeId } = await this.call("NodeService/createNode", node);
    await this.call("NodeService/updateNodeAPIConfig", { nodeId, apiNodeAddrsJSON: base64(this.addresses()) });
    return { nodeId: nodeId as number, nodeClusterId: nodeClusterId as number };
  }

  /** The addresses at which the program of the tests reaches the server: gRPC, then HTTP. */
  addresses(): object[] {
    return [this.server.grpcUrl, this.server.url].map((text) => {
      const { hostname: host, port: portRange } = new URL(text);
      return { protocol: "http", host, portRange };
    });
  }

  /** Installs a DNS node and waits for the end. Returns the installation. */
  async install(nsNodeId: number) {
    await this.call("NSNodeService/installNSNode", { nsNodeId });
    return await this.ended("dns", nsNodeId);
  }

  async ended(role: "dns" | "node", nodeId: number) {
    return await vi.waitFor(async () => {
      const found = await this.find(role, nodeId);
      expect(["waiting", "running"]).not.toContain(found.state);
      return found;
    }, WAIT);
  }

  /** Waits until an installation has begun a step. */
  async reached(role: "dns" | "node", nodeId: number, step: string): Promise<void> {
    await vi.waitFor(async () => {
      const { steps = [] } = await this.find(role, nodeId);
      expect(steps.map(({ code }: { code: string }) => code)).toContain(step);
    }, WAIT);
  }

  async find(role: "dns" | "node", nodeId: number) {
    return (await this.call("NodeInstallationService/findNodeInstallation", { role, nodeId })).nodeInstallation;
  }

  /** Waits until a node has reported this version and has its stream open. */
  async connected(nsNodeId: number, version: string): Promise<void> {
    await vi.waitFor(async () => {
      const { nsNode } = await this.call("NSNodeService/findNSNode", { nsNodeId });
      expect(JSON.parse(Buffer.from(nsNode.statusJSON ?? "bnVsbA==", "base64").toString())?.buildVersion).toBe(version);
      const command = { nsNodeId, code: "ping", timeoutSeconds: 1 };
      // the program answers no commands, but gets them
      const { message } = await this.call("NSNodeService/sendCommandToNSNode", command);
      expect(message).toBe("response timeout over 1 seconds");
    }, WAIT);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.kill();
    await this.server.ended;
    await removeInstallation(this.#environment);
  }
}

function loginTo({ port }: Pick<Sshd, "port">, grantId: number) {
  return { name: "ssh", type: "ssh", params: base64({ host: "127.0.0.1", port, grantId }) };
}

export function base64(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64");
}
