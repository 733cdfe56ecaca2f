import { chmod, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { RpcError } from "../../base/errors.ts";
import { errorText, type Logger } from "../../base/log.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import type { ControlRequest, ControlResponse } from "./control_message.ts";
import { runKernelCommand } from "./kernel_command.ts";

const MAX_REQUEST_LENGTH = 65_536;

/** A listener for the commands of the operator. */
export interface ControlServer {
  close(): Promise<void>;
}

/**
 * Runs commands for other processes of the same user, because they cannot open the database file while it is served. It
 * listens on a socket that only this user can open.
 *
 * @returns undefined if the system cannot listen there; commands then need the server to be stopped
 */
export async function listenControl(path: string, kernel: Kernel, log: Logger): Promise<ControlServer | undefined> {
  // A server that crashed left its socket behind. The lock of the database shows that it is gone.
  await rm(path, { force: true });
  const server = createServer({ allowHalfOpen: true }, (socket) => receive(socket, kernel, log));
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
    await chmod(path, 0o600);
  } catch (error) {
    log.warn("commands need the server to be stopped: cannot listen for them", { path, error: errorText(error) });
    return undefined;
  }
  return {
    async close() {
      server.close();
      await rm(path, { force: true });
    },
  };
}

function receive(socket: Socket, kernel: Kernel, log: Logger): void {
  let text = "";
  socket.setEncoding("utf8");
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: string) => {
    text += chunk;
    if (text.length > MAX_REQUEST_LENGTH) socket.destroy();
  });
  socket.on("end", () => void respond(text, kernel, log).then((response) => socket.end(JSON.stringify(response))));
}

async function respond(text: string, kernel: Kernel, log: Logger): Promise<ControlResponse> {
  try {
    const { args, others }: ControlRequest = JSON.parse(text);
    return { lines: await runKernelCommand(kernel, args, others) };
  } catch (error) {
    if (error instanceof RpcError && error.kind !== "internal") return { error: error.message };
    log.error("command failed", { error: errorText(error) });
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
