import { isMainThread, parentPort } from "node:worker_threads";
import { relay } from "../child/relay.ts";
import { Copy } from "./copy.ts";
import type { ReplicaReply, ReplicaRequest, ReplicaSource } from "./replica_message.ts";

// This file is a program: a child process that keeps a copy of a remote database and reads from it, since looking for
// news holds the thread for as long as the server takes.
if (isMainThread) relay(import.meta.url);
else serve();

function serve(): void {
  let copy: Copy | undefined;
  parentPort?.on("message", (message: ReplicaSource | ReplicaRequest) => {
    if ("directory" in message) copy = new Copy(message);
    else parentPort?.postMessage(answer(copy!, message));
  });
}

function answer(copy: Copy, { covers, statements }: ReplicaRequest): ReplicaReply {
  try {
    copy.bringUpTo(covers);
  } catch (error) {
    return { fault: textOf(error) };
  }
  try {
    return { results: copy.read(statements) };
  } catch (error) {
    return { refused: textOf(error) };
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
