import { stat } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { StartupError } from "../../base/startup_error.ts";
import type { Inspected } from "./inspect.ts";

export interface SnapshotTask {
  readonly source: string;
  /** An empty file to write into. */
  readonly target: string;
}

/** What the worker tells: how much it is going to write, then how it ended. */
export type SnapshotMessage =
  | { readonly bytes: number }
  | { readonly inspected: Inspected }
  | { readonly fault: string };

const PROGRESS_MILLISECONDS = 200;

/**
 * Copies a database as it is at one moment, while others write to it, and checks the copy.
 *
 * @param onProgress told how much is written, of about how much
 */
export async function snapshot(
  task: SnapshotTask,
  onProgress: (bytes: number, total: number) => void,
): Promise<Inspected> {
  const outcome = Promise.withResolvers<Inspected>();
  let total = 0;
  const timer = setInterval(() => {
    stat(task.target).then(({ size }) => total > 0 && onProgress(Math.min(size, total), total), () => undefined);
  }, PROGRESS_MILLISECONDS);
  // Packed, this file and the worker's are JavaScript.
  const program = new URL(import.meta.url.replace(/snapshot(\.[jt]s)$/, "snapshot_worker$1"));
  const worker = new Worker(program, { workerData: task });
  worker.on("message", (message: SnapshotMessage) => {
    if ("bytes" in message) total = message.bytes;
    else if ("fault" in message) outcome.reject(new StartupError(message.fault));
    else outcome.resolve(message.inspected);
  });
  worker.on("error", outcome.reject);
  worker.on("exit", () => outcome.reject(new Error("the backup's worker ended")));
  try {
    return await outcome.promise;
  } finally {
    clearInterval(timer);
    await worker.terminate();
  }
}
