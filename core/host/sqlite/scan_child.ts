import { type ChildProcessByStdio, spawn } from "node:child_process";
import process from "node:process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { frameOf, FrameReader } from "./frames.ts";
import type { ScanReply, ScanRequest } from "./scan_message.ts";

type Pipes = ChildProcessByStdio<Writable, Readable, null>;

/** A child process that runs one scan at a time, and can be killed in the middle of it. */
export class ScanChild {
  readonly #child: Pipes;
  readonly #replies = new FrameReader();
  #waiting: PromiseWithResolvers<ScanReply> | undefined;
  #isAlive = true;

  constructor(databasePath: string) {
    // beside this file, with the ending that this file has: .ts here, .js in a published package
    const program = fileURLToPath(import.meta.url.replace("scan_child", "scan_process"));
    const flags = "deno" in process.versions ? ["run", "-A", "--quiet"] : [];
    this.#child = spawn(process.execPath, [...flags, program, databasePath], { stdio: ["pipe", "pipe", "inherit"] });
    this.#child.on("error", (error) => this.#fail(error));
    this.#child.on("exit", (code, signal) => this.#fail(new Error(`the scan process ended: ${signal ?? code}`)));
    this.#child.stdin.on("error", (error) => this.#fail(error));
    this.#child.stdout.on("data", (chunk: Uint8Array) => {
      for (const reply of this.#replies.take(chunk)) this.#waiting?.resolve(reply as ScanReply);
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

  /** Sends one statement. The next may follow once this one is answered. */
  run(request: ScanRequest): Promise<ScanReply> {
    this.#waiting = Promise.withResolvers<ScanReply>();
    this.#child.stdin.write(frameOf(request));
    return this.#waiting.promise;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
    this.#fail(new Error("the scan process was stopped"));
  }

  #fail(error: Error): void {
    this.#isAlive = false;
    this.#waiting?.reject(error);
  }
}

function unref(pipe: object & { unref: unknown }): void {
  if (typeof pipe.unref === "function") pipe.unref();
}
