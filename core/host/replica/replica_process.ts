import { isMainThread, parentPort } from "node:worker_threads";
import { relay } from "../child/relay.ts";
import { errorMessage } from "../settings/files.ts";
import { EmbeddedReplica } from "./embedded_replica.ts";
import type { ReplicaRequest, ReplicaResponse, ReplicaSource } from "./replica_message.ts";

// This file is a program: a child process that maintains a replica of a remote database and reads from it. It is a
// process of its own because synchronising blocks the thread until the server responds.
if (isMainThread) relay(import.meta.url);
else serve();

function serve(): void {
  let replica: EmbeddedReplica | undefined;
  parentPort?.on("message", (message: ReplicaSource | ReplicaRequest) => {
    if ("directory" in message) replica = new EmbeddedReplica(message);
    else parentPort?.postMessage(respond(replica!, message));
  });
}

function respond(replica: EmbeddedReplica, { minWrites, statements }: ReplicaRequest): ReplicaResponse {
  try {
    replica.ensureFresh(minWrites);
  } catch (error) {
    return { syncError: errorMessage(error) };
  }
  try {
    return { results: replica.read(statements) };
  } catch (error) {
    return { statementError: errorMessage(error) };
  }
}
