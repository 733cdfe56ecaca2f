import { stat } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { StartupError } from "../../base/startup_error.ts";
import type { InstallationInfo } from "./inspect.ts";

export interface SnapshotTask {
  /** The database to copy; undefined if the target is a copy already, which is only checked. */
  readonly source: string | undefined;
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
 * @param signal ends the copy
 */
export async function snapshot(
  task: SnapshotTask,
  onProgress: (bytes: number, total: number) => void = () => {},
  signal?: AbortSignal,
): Promise<InstallationInfo> {
  signal?.throwIfAborted();
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
  const stop = () => outcome.reject(signal!.reason);
  signal?.addEventListener("abort", stop);
  try {
    const installation = await outcome.promise;
    if (total > 0) onProgress(total, total);
    return installation;
  } finally {
    signal?.removeEventListener("abort", stop);
    clearInterval(timer);
    await worker.terminate();
  }
}

/** Checks a copy off the event loop, as `inspect` does. */
export function inspectInWorker(path: string, signal?: AbortSignal): Promise<InstallationInfo> {
  return snapshot({ source: undefined, target: path }, undefined, signal);
}
