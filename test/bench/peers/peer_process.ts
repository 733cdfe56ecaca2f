import { type ChildProcess, spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { endWithThisProcess } from "../installation/children.ts";
import { TemporaryFolder } from "../installation/temporary_folder.ts";

const START_MILLISECONDS = 20_000;

/** A server of another project in a process and directory of its own. */
export interface Peer extends AsyncDisposable {
  readonly port: number;
}

/** Starts a program and waits until its port takes connections. */
export async function startPeer(
  program: string,
  prepare: (directory: string, ports: readonly number[]) => string[] | Promise<string[]>,
): Promise<Peer> {
  const folder = new TemporaryFolder();
  const ports = [await freePort(), await freePort(), await freePort()];
  const child = spawn(program, await prepare(folder.path, ports), { stdio: "ignore" });
  endWithThisProcess(child);
  try {
    await untilListening(ports[0]!, child);
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
  return {
    port: ports[0]!,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      folder[Symbol.dispose]();
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  const until = performance.now() + START_MILLISECONDS;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with code ${child.exitCode}`);
    if (await takesConnections(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${child.spawnfile} does not listen after ${START_MILLISECONDS} ms`);
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
