import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Server } from "../harness/server.ts";

interface FailingCalls {
  /** The names of system calls, separated by commas. */
  readonly calls: string;
  /** The error that they return, such as `EMFILE`. */
  readonly error: string;
  /** Only calls on these files fail; absent for all. */
  readonly paths?: readonly string[];
  /** The file to which strace writes the calls; absent for none. */
  readonly log?: string;
}

/** Fails system calls of a server, by strace, until the returned function is called. */
export async function failCalls(
  { pid }: Server,
  { calls, error, paths = [], log = "/dev/null" }: FailingCalls,
): Promise<() => Promise<void>> {
  const inject = ["-e", `trace=${calls}`, "-e", `inject=${calls}:error=${error}`];
  const flags = ["-f", "-o", log, ...paths.flatMap((path) => ["-P", path]), ...inject];
  const strace = spawn("strace", [...flags, "-p", String(pid)]);
  let output = "";
  await new Promise<void>((resolve, reject) => {
    strace.stderr.on("data", (chunk) => {
      output += chunk;
      if (output.includes("attached")) resolve();
    });
    strace.once("close", () => reject(new Error(`strace ended: ${output}`)));
  });
  return async () => {
    const ended = once(strace, "close");
    strace.kill("SIGTERM");
    await ended;
  };
}
