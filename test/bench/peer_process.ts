import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const START_MILLISECONDS = 20_000;

/** Whether a program is installed. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A server of another project in a process and directory of its own. */
export interface Peer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts a program and waits until its port takes connections. */
export async function startPeer(
  program: string,
  prepare: (directory: string, ports: readonly number[]) => string[] | Promise<string[]>,
): Promise<Peer> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-peer-"));
  const ports = [await freePort(), await freePort(), await freePort()];
  const child = spawn(program, await prepare(directory, ports), { stdio: "ignore" });
  try {
    await untilListening(ports[0]!, child);
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
  return {
    port: ports[0]!,
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      await rm(directory, { recursive: true, force: true });
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
