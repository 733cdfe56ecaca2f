import { stat } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { StartupError } from "../../base/startup_error.ts";
import type { InstallationInfo } from "./inspect.ts";

export interface SnapshotTask {
  readonly source: string;
  /** An empty file to write into. */
  readonly target: string;
}

/** A message of the worker: first the number of bytes that it will write, then the outcome. */
export type SnapshotMessage =
  | { readonly bytes: number }
  | { readonly installation: InstallationInfo }
  | { readonly error: string };

const PROGRESS_MILLISECONDS = 200;

/**
 * Copies a consistent snapshot of a database, even while other processes write to it, and checks the copy.
 *
 * @param onProgress called with the number of bytes written and the approximate total
 */
export async function snapshot(
  task: SnapshotTask,
  onProgress: (bytes: number, total: number) => void,
): Promise<InstallationInfo> {
  const outcome = Promise.withResolvers<InstallationInfo>();
  let total = 0;
  const timer = setInterval(() => {
    stat(task.target).then(({ size }) => total > 0 && onProgress(Math.min(size, total), total), () => undefined);
  }, PROGRESS_MILLISECONDS);
  // In the packed project, both this file and the worker are JavaScript.
  const program = new URL(import.meta.url.replace(/snapshot(\.[jt]s)$/, "snapshot_worker$1"));
  const worker = new Worker(program, { workerData: task });
  worker.on("message", (message: SnapshotMessage) => {
    if ("bytes" in message) total = message.bytes;
    else if ("error" in message) outcome.reject(new StartupError(message.error));
    else outcome.resolve(message.installation);
  });
  worker.on("error", outcome.reject);
  worker.on("exit", () => outcome.reject(new Error("the backup worker exited unexpectedly")));
  try {
    return await outcome.promise;
  } finally {
    clearInterval(timer);
    await worker.terminate();
  }
}
