import process from "node:process";
import { Worker } from "node:worker_threads";
import { frameOf, FrameReader } from "./frames.ts";

/**
 * The main thread of a child program: passes what comes on stdin to a worker, and what that answers to stdout. It dies
 * with its parent, whatever the worker is doing: only a thread of its own sees the end of stdin meanwhile.
 *
 * @param program the module that runs as the worker
 */
export function relay(program: string): void {
  const worker = new Worker(new URL(program), { workerData: process.argv[2] });
  const requests = new FrameReader();
  worker.on("message", (reply: unknown) => process.stdout.write(frameOf(reply)));
  worker.on("error", (error) => {
    console.error(error);
    process.exit(1);
  });
  process.stdin.on("data", (chunk: Uint8Array) => {
    for (const request of requests.take(chunk)) worker.postMessage(request);
  });
  // Deno emits no "close" here
  process.stdin.on("end", () => process.kill(process.pid, "SIGKILL"));
}
