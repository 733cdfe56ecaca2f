import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Server, THIS_RUNTIME } from "../../harness/server.ts";
import { mayOpen } from "./files_limit.ts";

const PROGRAM = fileURLToPath(new URL("open_connections.ts", import.meta.url));

/** Idle connections, which another process holds. */
export interface IdleClients {
  /** Returns how many of them are open now. */
  open(): Promise<number>;
  close(): Promise<void>;
}

/** Opens idle connections over HTTP and gRPC, half of them after a call with a token. */
export async function openIdleClients(server: Server, count: number): Promise<IdleClients> {
  const ports = [server.url, server.grpcUrl].map((url) => new URL(url).port);
  const [program, ...args] = mayOpen(count + 100, THIS_RUNTIME);
  const child = spawn(program!, [...args, PROGRAM, ...ports, String(count), await server.adminToken()], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, "close");
  const next = async () => {
    const { done, value } = await lines.next();
    if (done) throw new Error("the process of the idle clients has ended");
    return Number(value);
  };
  await next();
  return {
    open() {
      child.stdin.write("\n");
      return next();
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
