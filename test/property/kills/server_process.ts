import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { TestCaller } from "edgehelm/testing";
import { THIS_RUNTIME } from "../../harness/server.ts";
import type { Act, Output } from "./protocol.ts";

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));

/** The server was killed before it responded. */
export class Killed extends Error {}

type Result = Extract<Output, { kind: "response" }>;

/** A server in a process of its own, which can be killed at any moment. */
export class ServerProcess {
  /** The errors that the server logged. */
  readonly errors: string[] = [];
  /** The time of the server in unix milliseconds, as far as it is known. */
  now: number;
  readonly ended: Promise<unknown>;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (result: Result | undefined) => void>();
  readonly #ready = Promise.withResolvers<void>();
  #next = 1;
  #isKilled = false;
  #output = "";

  constructor(directory: string, now: number) {
    this.now = now;
    const [program = "", ...args] = THIS_RUNTIME;
    this.#child = spawn(program, [...args, CHILD, directory, String(now)], { stdio: "pipe" });
    this.#child.stderr!.on("data", (data) => this.#output += data);
    createInterface({ input: this.#child.stdout! }).on("line", (line) => this.#read(line));
    // writing to a process that was killed
    this.#child.stdin!.on("error", () => {});
    this.ended = new Promise((resolve) => this.#child.once("close", resolve));
    void this.ended.then(() => {
      this.#ready.reject(this.#isKilled ? new Killed() : new Error(`the server ended: ${this.#output}`));
      for (const tell of this.#waiting.values()) tell(undefined);
    });
    this.#ready.promise.catch(() => {});
  }

  /** Resolves when the server takes commands. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Kills the process with SIGKILL. */
  kill(): void {
    this.#isKilled = true;
    if (this.#child.exitCode === null && this.#child.signalCode === null) process.kill(this.#child.pid!, "SIGKILL");
  }

  /** Calls an operation. Throws if it is refused, and {@link Killed} if there is no response. */
  // deno-lint-ignore no-explicit-any -- the shape of the data depends on the operation
  call(role: TestCaller["role"], id: number, path: string, body: object = {}): Promise<any> {
    return this.send({ kind: "call", role, id, path, body });
  }

  // deno-lint-ignore no-explicit-any -- the shape of the data depends on the operation
  admin(path: string, body: object = {}): Promise<any> {
    return this.call("admin", 1, path, body);
  }

  async send(act: Act): Promise<unknown> {
    if (this.#isKilled) throw new Killed();
    const number = this.#next++;
    const result = await new Promise<Result | undefined>((resolve) => {
      this.#waiting.set(number, resolve);
      this.#child.stdin!.write(`${JSON.stringify({ number, act })}\n`);
    });
    if (result === undefined) throw new Killed();
    if (result.error !== undefined) throw new Error(result.error);
    return result.value;
  }

  #read(line: string): void {
    const output = JSON.parse(line) as Output;
    if (output.kind === "ready") this.#ready.resolve();
    else if (output.kind === "log") this.errors.push(output.line);
    else if (output.kind === "time") this.now = Math.max(this.now, output.now);
    else {
      this.#waiting.get(output.number)?.(output);
      this.#waiting.delete(output.number);
    }
  }
}
