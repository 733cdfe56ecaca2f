import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { cpuMicrosecondsOf, residentMegabytesOf } from "../report/processor_time.ts";
import { endWithThisProcess } from "./children.ts";
import type { Command } from "./start_command.ts";

const LISTENING = /listening on https?:\/\/\S+:(\d+)$/gm;

export interface ServerProcessOptions {
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The number of lines it prints that end in `listening on http://host:port`. */
  readonly listeners?: number;
}

/** A server in a process of its own. This process reads its output through a pipe and drops it. */
export class ServerProcess {
  /** The ports that it listens on, in the order of its output. */
  readonly ports: readonly number[];
  /** From the start of the process until it listened. */
  readonly startMilliseconds: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, ports: readonly number[], startMilliseconds: number) {
    this.#child = child;
    this.ports = ports;
    this.startMilliseconds = startMilliseconds;
  }

  /** Starts a server and waits until it listens. */
  static async start([program, ...words]: Command, options: ServerProcessOptions = {}): Promise<ServerProcess> {
    const { folder, environment, listeners = 1 } = options;
    const started = performance.now();
    const child = spawn(program, words, {
      ...(folder !== undefined && { cwd: folder }),
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "inherit"],
    });
    endWithThisProcess(child);
    const ports = await portsOf(child, listeners);
    return new ServerProcess(child, ports, performance.now() - started);
  }

  /** The port that it listened on first. */
  get port(): number {
    return this.ports[0]!;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Processor time of its threads and children so far. */
  cpuMicroseconds(): number {
    return cpuMicrosecondsOf(this.pid);
  }

  residentMegabytes(): number {
    return residentMegabytesOf(this.pid);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await ended;
  }
}

/** The ports of the first listeners that a process reports. */
function portsOf(child: ChildProcess, listeners: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    let [output, isListening] = ["", false];
    child.stdout!.on("data", (chunk: Uint8Array) => {
      // log lines follow later: they are read, so that the pipe does not fill, and not looked at
      if (isListening) return;
      output += chunk;
      const ports = [...output.matchAll(LISTENING)].map(([, port]) => Number(port));
      isListening = ports.length >= listeners;
      if (isListening) resolve(ports.slice(0, listeners));
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${child.spawnargs.join(" ")} ended with code ${code}: ${output}`)));
  });
}
