import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { createInterface } from "node:readline";
import { SQLD } from "./sqld_binary.ts";
export { sqldRuns } from "./sqld_binary.ts";

const LISTENING_MESSAGE = "listening for incoming user HTTP connection";
/** Another process may take the free port first. */
const MAX_ATTEMPTS = 5;

/** A libSQL server with its own data directory. */
export class Sqld implements AsyncDisposable {
  readonly port: number;
  readonly directory: string;
  #child: ChildProcess;
  #watcher: ChildProcess;

  readonly #args: readonly string[];

  private constructor(directory: string, port: number, args: readonly string[], child: ChildProcess) {
    this.directory = directory;
    this.#args = args;
    this.port = port;
    this.#child = child;
    this.#watcher = startWatcher(child);
  }

  /**
   * Starts a server on a free port.
   *
   * @param directory the data directory, which is created if missing
   * @param args additional command line arguments
   */
  static async start(directory: string, args: readonly string[] = []): Promise<Sqld> {
    for (let attempt = 1;; attempt++) {
      const port = await freePort();
      try {
        return new Sqld(directory, port, args, await spawnSqld(directory, port, args));
      } catch (error) {
        if (attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Restarts the server on the same data and port. */
  async restart(): Promise<void> {
    this.#child = await spawnSqld(this.directory, this.port, this.#args);
    this.#watcher = startWatcher(this.#child);
  }

  /** Kills the server, as a power failure would. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#watcher.kill("SIGKILL");
    process.kill(this.pid, "SIGKILL");
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

/** Starts a process that kills the server when the test process crashes, which closes the pipe between the two. */
function startWatcher({ pid }: ChildProcess): ChildProcess {
  return spawn("sh", ["-c", `cat; kill -9 ${pid}`], { stdio: ["pipe", "ignore", "ignore"] });
}

async function spawnSqld(directory: string, port: number, args: readonly string[]): Promise<ChildProcess> {
  const options = ["--db-path", directory, "--http-listen-addr", `127.0.0.1:${port}`, "--no-welcome"];
  const child = spawn(SQLD, [...options, ...args], { stdio: ["ignore", "pipe", "pipe"], env: { RUST_LOG: "info" } });
  let log = "";
  child.stderr!.on("data", (chunk) => log += chunk);
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on("line", (line) => {
      log += `${line}\n`;
      if (line.includes(LISTENING_MESSAGE)) resolve();
    });
    child.once("exit", () => reject(new Error(`sqld did not start: ${log}`)));
  });
  // It listens before it is ready to serve.
  await fetch(`http://127.0.0.1:${port}/health`).then((response) => response.body?.cancel());
  return child;
}

/** Returns a free TCP port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
