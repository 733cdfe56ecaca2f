import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";

const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** A server in a process of its own, and what it costs. */
export class ServerProcess {
  readonly port: number;
  /** From the start of the process until it said that it listens. */
  readonly startMilliseconds: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number, startMilliseconds: number) {
    this.#child = child;
    this.port = port;
    this.startMilliseconds = startMilliseconds;
  }

  /** Starts a module on the runtime of this process and waits for a line that ends in `listening on http://host:port`. */
  static async start(
    module: string,
    words: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Promise<ServerProcess> {
    const started = performance.now();
    const flags = "Deno" in globalThis ? ["run", "-A"] : [];
    const child = spawn(process.execPath, [...flags, module, ...words], {
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout! });
    const port = await new Promise<number>((resolve, reject) => {
      lines.on("line", (line) => {
        const found = /listening on https?:\/\/\S+:(\d+)$/.exec(line)?.[1];
        if (found !== undefined) resolve(Number(found));
      });
      child.once("exit", (code) => reject(new Error(`${module} ended with code ${code} before it listened`)));
    });
    return new ServerProcess(child, port, performance.now() - started);
  }

  /** User and system time so far, in microseconds. */
  cpuMicroseconds(): number {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND * 1e6;
  }

  residentMegabytes(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.once("exit", () => resolve());
      this.#child.kill("SIGTERM");
    });
  }
}
