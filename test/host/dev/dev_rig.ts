import { cp, readFile, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import {
  CHOSEN_KEY,
  type Envelope,
  installationDirectory,
  MAIN,
  removeInstallation,
  type Runtime,
  Server,
} from "../../harness/server.ts";

const ECHO = fileURLToPath(new URL("../../fixtures/echo", import.meta.url));
const PLUGINS = ["admin", "api_access_token", "user_access_key", "./echo"];

/** An installation with a plugin that is changed while `edgehelm dev` serves it. */
export class DevRig implements AsyncDisposable {
  /** The folder of the plugin. */
  readonly folder: string;
  readonly installation: Record<string, string>;
  readonly gate: Gate;
  readonly #source: string;
  #server: Server | undefined;

  private constructor(installation: Record<string, string>, gate: Gate, source: string) {
    this.installation = installation;
    this.folder = join(dirname(installation.EDGEHELM_MANIFEST!), "echo");
    this.gate = gate;
    this.#source = source;
  }

  /** Creates the installation. Its plugin waits at the gate instead of sleeping. */
  static async create(): Promise<DevRig> {
    // no call is cut off on a slow machine
    const installation = {
      ...await installationDirectory(PLUGINS, { stop: { drainSeconds: 3600 } }),
      ...CHOSEN_KEY,
      EDGEHELM_LOG: "warn",
    };
    const gate = await Gate.open();
    const source = (await readFile(join(ECHO, "plugin.ts"), "utf8"))
      .replace("await sleep(sleepMilliseconds, call.signal)", `await fetch("${gate.url}")`);
    const rig = new DevRig(installation, gate, source);
    await cp(ECHO, rig.folder, { recursive: true });
    await rig.save(1);
    return rig;
  }

  async start(runtime: Runtime): Promise<Server> {
    const server = this.#server = await Server.start(this.installation, runtime, MAIN, "dev");
    void server.ended.then(() => this.#server = undefined);
    return server;
  }

  /** Returns the source of the plugin, whose responses contain a number. */
  source(number: number): string {
    return this.#source.replace("return { payload, number };", `return { payload, number: ${number}n };`);
  }

  async save(number: number): Promise<void> {
    await this.write("plugin.ts", this.source(number));
  }

  /** Writes a file of the plugin. */
  async write(file: string, text: string): Promise<void> {
    await writeFile(join(this.folder, file), text);
  }

  /** Posts to the plugin. Fails if the connection does. */
  echo(request: object = {}): Promise<Envelope> {
    return this.#server!.post("/EchoService/echo", request);
  }

  /** Waits until the plugin that was saved with the number serves. Every response on the way must be a good one. */
  async untilServed(number: number): Promise<void> {
    await expect.poll(async () => {
      const { code, data, message } = await this.echo();
      expect({ code, message }).toEqual({ code: 200, message: "ok" });
      return Number(data.number);
    }, { interval: 20 }).toBe(number);
  }

  async untilPrinted(text: string | RegExp): Promise<void> {
    await expect.poll(() => this.#server!.output, { interval: 20 }).toMatch(text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.gate.release();
    await this.#server?.stop();
    await this.gate.close();
    await removeInstallation(this.installation);
  }
}

/** A place where calls wait until the test lets them go on. */
class Gate {
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;
  readonly #waiting: ServerResponse[] = [];
  #isReleased = false;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("request", (_request, response) => {
      if (this.#isReleased) response.end();
      else this.#waiting.push(response);
    });
  }

  static async open(): Promise<Gate> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Gate(server);
  }

  /** Waits until a call is at the gate. */
  async arrived(): Promise<void> {
    await expect.poll(() => this.#waiting.length, { interval: 20 }).toBeGreaterThan(0);
  }

  release(): void {
    this.#isReleased = true;
    for (const response of this.#waiting.splice(0)) response.end();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
