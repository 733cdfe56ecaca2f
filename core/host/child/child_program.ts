import { type ChildProcessByStdio, spawn } from "node:child_process";
import process from "node:process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { frameOf, FrameReader } from "./frames.ts";

type Pipes = ChildProcessByStdio<Writable, Readable, null>;

/** The events of a child process. */
export interface ChildEvents<Response> {
  readonly response: (response: Response) => void;
  /** Called when the process has ended or its pipes have failed, possibly more than once. */
  readonly end: (error: Error) => void;
}

/** A child process on the same runtime, which reads requests from stdin and writes responses to stdout. */
export class ChildProgram<Request, Response> {
  readonly #name: string;
  readonly #child: Pipes;
  readonly #events: ChildEvents<Response>;
  readonly #exited = Promise.withResolvers<void>();
  #isAlive = true;

  /**
   * @param name the subject of error messages, such as `the scan process`
   * @param program the URL of the module to run
   * @param args the command line arguments of the module
   */
  constructor(name: string, program: string, args: readonly string[], events: ChildEvents<Response>) {
    this.#name = name;
    this.#events = events;
    const flags = "deno" in process.versions ? ["run", "-A", "--quiet"] : [];
    const commandLine = [...flags, fileURLToPath(program), ...args];
    // The database driver would write log lines in its own format.
    const env = { ...process.env, RUST_LOG: "off" };
    this.#child = spawn(process.execPath, commandLine, { stdio: ["pipe", "pipe", "inherit"], env });
    this.#child.on("error", (error) => {
      this.#fail(error);
      this.#exited.resolve();
    });
    this.#child.on("exit", (code, signal) => {
      this.#fail(new Error(`${name} exited: ${signal ?? code}`));
      this.#exited.resolve();
    });
    this.#child.stdin.on("error", (error) => this.#fail(error));
    const responses = new FrameReader();
    this.#child.stdout.on("data", (chunk: Uint8Array) => {
      for (const response of responses.read(chunk)) events.response(response as Response);
    });
    this.#child.unref();
    for (const pipe of [this.#child.stdin, this.#child.stdout]) if ("unref" in pipe) unref(pipe);
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get processId(): number | undefined {
    return this.#child.pid;
  }

  send(request: Request): void {
    this.#child.stdin.write(frameOf(request));
  }

  kill(): void {
    this.#child.kill("SIGKILL");
    this.#fail(new Error(`${this.#name} was stopped`));
  }

  /** Kills the process, and waits until it no longer writes files. */
  async end(): Promise<void> {
    this.#child.ref();
    this.kill();
    await this.#exited.promise;
  }

  #fail(error: Error): void {
    this.#isAlive = false;
    this.#events.end(error);
  }
}

function unref(pipe: object & { unref: unknown }): void {
  if (typeof pipe.unref === "function") pipe.unref();
}
