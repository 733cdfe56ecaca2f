import { type ChildProcessByStdio, spawn } from "node:child_process";
import process from "node:process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { frameOf, FrameReader } from "./frames.ts";

type Pipes = ChildProcessByStdio<Writable, Readable, null>;

/** What is told of a child process. */
export interface ChildEvents<Reply> {
  readonly reply: (reply: Reply) => void;
  /** It is no more, or cannot be spoken to; told at least once. */
  readonly end: (error: Error) => void;
}

/** A child process of this runtime that takes requests on stdin, answers on stdout, and can be killed at any time. */
export class ChildProgram<Request, Reply> {
  readonly #name: string;
  readonly #child: Pipes;
  readonly #events: ChildEvents<Reply>;
  #isAlive = true;

  /**
   * @param name for errors, such as `the scan process`
   * @param program the URL of its module
   */
  constructor(name: string, program: string, words: readonly string[], events: ChildEvents<Reply>) {
    this.#name = name;
    this.#events = events;
    const flags = "deno" in process.versions ? ["run", "-A", "--quiet"] : [];
    const commandLine = [...flags, fileURLToPath(program), ...words];
    // the driver would write lines of its own, in another form than the log's
    const env = { ...process.env, RUST_LOG: "off" };
    this.#child = spawn(process.execPath, commandLine, { stdio: ["pipe", "pipe", "inherit"], env });
    this.#child.on("error", (error) => this.#fail(error));
    this.#child.on("exit", (code, signal) => this.#fail(new Error(`${name} ended: ${signal ?? code}`)));
    this.#child.stdin.on("error", (error) => this.#fail(error));
    const replies = new FrameReader();
    this.#child.stdout.on("data", (chunk: Uint8Array) => {
      for (const reply of replies.take(chunk)) events.reply(reply as Reply);
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

  #fail(error: Error): void {
    this.#isAlive = false;
    this.#events.end(error);
  }
}

function unref(pipe: object & { unref: unknown }): void {
  if (typeof pipe.unref === "function") pipe.unref();
}
