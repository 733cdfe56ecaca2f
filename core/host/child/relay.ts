import process from "node:process";
import { Worker } from "node:worker_threads";
import { frameOf, FrameReader } from "./frames.ts";

/**
 * Runs the main thread of a child program: relays requests from stdin to a worker thread and its responses to stdout. A
 * busy worker could not see the end of stdin; this thread can, and so ends the process with its parent.
 *
 * @param program the URL of the module to run as the worker
 */
export function relay(program: string): void {
  const worker = new Worker(new URL(program), { workerData: process.argv[2] });
  const requests = new FrameReader();
  worker.on("message", (response: unknown) => process.stdout.write(frameOf(response)));
  worker.on("error", (error) => {
    console.error(error);
    process.exit(1);
  });
  process.stdin.on("data", (chunk: Uint8Array) => {
    for (const request of requests.read(chunk)) worker.postMessage(request);
  });
  // Deno does not emit "close" here.
  process.stdin.on("end", () => process.kill(process.pid, "SIGKILL"));
}
