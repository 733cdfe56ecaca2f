import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";

const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** How to run a module: the program and its first arguments. */
export type Runtime = readonly string[];
export const DENO: Runtime = "Deno" in globalThis ? [process.execPath, "run", "-A"] : ["deno", "run", "-A"];

/** Node 24, which npm brings along. */
export function node24(): Runtime {
  const words = ["--yes", "-p", "node@24", "node", "-p", "process.execPath"];
  return [execFileSync("npx", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()];
}

const THIS_RUNTIME: Runtime = "Deno" in globalThis ? DENO : [process.execPath];

/** A server in a process of its own, and what it costs. */
export class ServerProcess {
  /** Where it listens, in the order in which it said so. */
  readonly ports: readonly number[];
  /** From the start of the process until it said that it listens. */
  readonly startMilliseconds: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, ports: readonly number[], startMilliseconds: number) {
    this.#child = child;
    this.ports = ports;
    this.startMilliseconds = startMilliseconds;
  }

  /**
   * Starts a module and waits until it listens.
   *
   * @param listeners how many lines it prints that end in `listening on http://host:port`
   */
  static async start(
    module: string,
    words: readonly string[],
    environment: Readonly<Record<string, string>>,
    listeners = 1,
    runtime: Runtime = THIS_RUNTIME,
  ): Promise<ServerProcess> {
    const started = performance.now();
    const [program, ...flags] = runtime;
    const child = spawn(program!, [...flags, module, ...words], {
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout! });
    const ports: number[] = [];
    await new Promise<void>((resolve, reject) => {
      lines.on("line", (line) => {
        if (ports.length === listeners) return;
        const found = /listening on https?:\/\/\S+:(\d+)$/.exec(line)?.[1];
        if (found !== undefined && ports.push(Number(found)) === listeners) resolve();
      });
      child.once("exit", (code) => reject(new Error(`${module} ended with code ${code} before it listened`)));
    });
    return new ServerProcess(child, ports, performance.now() - started);
  }

  /** Where it listens first. */
  get port(): number {
    return this.ports[0]!;
  }

  /** User and system time so far, in microseconds. */
  cpuMicroseconds(): number {
    return cpuMicrosecondsOf(this.#child.pid!);
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

/** User and system time of a process so far, in microseconds. */
export function cpuMicrosecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND * 1e6;
}
