import { stat } from "node:fs/promises";
import { StartupError } from "../../base/startup_error.ts";
import { ChildProgram } from "../child/child_program.ts";
import type { InstallationInfo } from "./inspect.ts";

export interface SnapshotTask {
  /** The database to copy; undefined if the target is a copy already, which is only checked. */
  readonly source: string | undefined;
  /** An empty file to write into. */
  readonly target: string;
}

/** A message of the process: first the number of bytes that it will write, then the outcome. */
export type SnapshotMessage =
  | { readonly bytes: number }
  | { readonly installation: InstallationInfo }
  | { readonly error: string };

const PROGRESS_MILLISECONDS = 200;

/**
 * Copies a consistent snapshot of a database, even while other processes write to it, and checks the copy. A process of
 * its own does it, because nothing but the end of its process interrupts a copy.
 *
 * @param onProgress called with the number of bytes written and the approximate total
 * @param signal ends the copy at once
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
  // In the packed project, both this file and the program are JavaScript.
  const program = import.meta.url.replace(/snapshot(\.[jt]s)$/, "snapshot_process$1");
  const child = new ChildProgram<SnapshotTask, SnapshotMessage>("the backup process", program, [], {
    response(message) {
      if ("bytes" in message) total = message.bytes;
      else if ("error" in message) outcome.reject(new StartupError(message.error));
      else outcome.resolve(message.installation);
    },
    end: outcome.reject,
  });
  child.send(task);
  const stop = () => outcome.reject(signal!.reason);
  signal?.addEventListener("abort", stop);
  try {
    const installation = await outcome.promise;
    if (total > 0) onProgress(total, total);
    return installation;
  } finally {
    signal?.removeEventListener("abort", stop);
    clearInterval(timer);
    await child.end();
  }
}

/** Checks a copy in a process of its own, as `inspect` does. */
export function inspectInProcess(path: string, signal?: AbortSignal): Promise<InstallationInfo> {
  return snapshot({ source: undefined, target: path }, undefined, signal);
}
