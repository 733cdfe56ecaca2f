import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { createInterface } from "node:readline";
import { SQLD } from "./sqld_binary.ts";
export { sqldRuns } from "./sqld_binary.ts";

const LISTENS = "listening for incoming user HTTP connection";
/** Somebody else may take the free port first. */
const TRIES = 5;

/** A libSQL server on a directory of its own. */
export class Sqld implements AsyncDisposable {
  readonly port: number;
  readonly directory: string;
  #child: ChildProcess;
  #watcher: ChildProcess;

  readonly #words: readonly string[];

  private constructor(directory: string, port: number, words: readonly string[], child: ChildProcess) {
    this.directory = directory;
    this.#words = words;
    this.port = port;
    this.#child = child;
    this.#watcher = watcherOf(child);
  }

  /**
   * @param directory where its data is kept; made when it is missing
   * @param words more of its command line
   */
  static async start(directory: string, words: readonly string[] = []): Promise<Sqld> {
    for (let tries = 1;; tries++) {
      const port = await freePort();
      try {
        return new Sqld(directory, port, words, await spawnSqld(directory, port, words));
      } catch (error) {
        if (tries === TRIES) throw error;
      }
    }
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Starts it again on its data and port. */
  async restart(): Promise<void> {
    this.#child = await spawnSqld(this.directory, this.port, this.#words);
    this.#watcher = watcherOf(this.#child);
  }

  /** Ends it at once, as a power cut would. */
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

/** Ends a server whose test process ended without a word: that closes the pipe. */
function watcherOf({ pid }: ChildProcess): ChildProcess {
  return spawn("sh", ["-c", `cat; kill -9 ${pid}`], { stdio: ["pipe", "ignore", "ignore"] });
}

async function spawnSqld(directory: string, port: number, words: readonly string[]): Promise<ChildProcess> {
  const basic = ["--db-path", directory, "--http-listen-addr", `127.0.0.1:${port}`, "--no-welcome"];
  const child = spawn(SQLD, [...basic, ...words], { stdio: ["ignore", "pipe", "pipe"], env: { RUST_LOG: "info" } });
  let said = "";
  child.stderr!.on("data", (chunk) => said += chunk);
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on("line", (line) => {
      said += `${line}\n`;
      if (line.includes(LISTENS)) resolve();
    });
    child.once("exit", () => reject(new Error(`sqld did not start: ${said}`)));
  });
  // It listens before it can answer.
  await fetch(`http://127.0.0.1:${port}/health`).then((response) => response.body?.cancel());
  return child;
}

/** A TCP port that nobody has. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
