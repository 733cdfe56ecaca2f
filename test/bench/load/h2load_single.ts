import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { parseH2loadOutput } from "./h2load_output.ts";

const run = promisify(execFile);
/** The prefix of a gRPC message, which an error does not have. */
const LEAST_BYTES = 5;

/**
 * Makes one gRPC call for each file, since h2load sends the same message in all of its calls: a process each, some of them
 * at the same time.
 *
 * @param files messages with the prefix of gRPC
 */
export async function callWithEach(
  files: readonly string[],
  atOnce: number,
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const all = { "content-type": "application/grpc", te: "trailers", ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const queue = files.values();
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (const file of queue) {
      const words = ["-t1", "-c1", "-n1", "-d", file, ...lines, `http://127.0.0.1:${port}${path}`];
      parseH2loadOutput((await run("h2load", words)).stdout, LEAST_BYTES);
    }
  }));
}
