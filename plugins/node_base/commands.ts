import type { Call, Clock, Logger } from "edgehelm";
import { errorText } from "edgehelm/runtime";
import { NodeBusyError, type NodeConnection } from "./connection.ts";
import type { NodeKind, NodeMessage, NodeReply } from "./contract.ts";
import type { NodeSession } from "./session.ts";
import type { StreamStore } from "./store.ts";

/** The interval at which an instance with nodes checks for commands from other instances. */
const POLL_MILLISECONDS = 200;
const BATCH_SIZE = 100;
/** The interval at which the sending instance checks for the response. It grows from the minimum to the maximum. */
const MIN_RESPONSE_POLL_MILLISECONDS = 50;
const MAX_RESPONSE_POLL_MILLISECONDS = 250;
/** The maximum size of a command or response between instances. A libSQL server accepts little more in one value. */
const MAX_BYTES = 1024 * 1024;

export interface NodeCommandsDeps {
  readonly store: StreamStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly systemCall: (name: string) => Call;
  readonly isShared: boolean;
}

type Command = Pick<NodeMessage, "code" | "dataJSON">;

/** Sends commands to nodes: over a local stream, or through the database to the instance that holds the stream. */
export class NodeCommands {
  readonly #deps: NodeCommandsDeps;
  readonly #holder: string;
  readonly #open: ReadonlyMap<string, NodeSession>;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isPolling = false;
  #lastId = 0n;

  /** @param open the streams of this instance by session id, the newest last */
  constructor(deps: NodeCommandsDeps, holder: string, open: ReadonlyMap<string, NodeSession>) {
    this.#deps = deps;
    this.#holder = holder;
    this.#open = open;
  }

  async send(kind: NodeKind, call: Call, nodeId: bigint, command: Command, milliseconds: number): Promise<NodeReply> {
    const local = [...this.#open.values()].findLast((session) => session.kind === kind && session.nodeId === nodeId);
    const { store, clock, isShared } = this.#deps;
    const newest = isShared
      ? await store.newest.first(call, { kind: kind.name, nodeId, now: BigInt(clock.now()) })
      : undefined;
    if (newest !== undefined && newest.holder !== this.#holder) {
      return await this.#sendThroughDatabase(call, nodeId, newest, command, milliseconds);
    }
    if (local === undefined) return errorReply(`node '${nodeId}' not connected yet`);
    return await sendLocally(local.connection, command, milliseconds) ?? timeout(milliseconds);
  }

  async #sendThroughDatabase(
    call: Call,
    nodeId: bigint,
    session: { readonly id: string; readonly holder: string },
    { code, dataJSON }: Command,
    milliseconds: number,
  ): Promise<NodeReply> {
    if (dataJSON.length > MAX_BYTES) {
      return errorReply(`the command to node '${nodeId}' is larger than the limit of ${MAX_BYTES} bytes`);
    }
    const { store, clock, systemCall, log } = this.#deps;
    const ownCall = systemCall("node command");
    const expiresAt = BigInt(Math.ceil(clock.now() + milliseconds));
    const command = { sessionId: session.id, holder: session.holder, code, dataJSON, expiresAt };
    const until = performance.now() + milliseconds;
    const { id } = await ownCall.transact((inner) => store.insertCommand.one(inner, command));
    try {
      for (
        let pause = MIN_RESPONSE_POLL_MILLISECONDS;
        performance.now() < until;
        pause = Math.min(pause * 1.5, MAX_RESPONSE_POLL_MILLISECONDS)
      ) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        call.signal.throwIfAborted();
        const row = await store.findResponse.first(ownCall, { id });
        if (row === undefined) return errorReply(`node '${nodeId}' disconnected`);
        if (row.isOk !== null) return { isOk: row.isOk === 1n, message: row.message!, dataJSON: row.replyJSON!, code };
      }
      return timeout(milliseconds);
    } finally {
      await ownCall.transact((inner) => store.deleteCommand.run(inner, { id })).catch((error) =>
        log.warn("node command not deleted", { error: errorText(error) })
      );
    }
  }

  /** Polls for commands from other instances for as long as this instance has streams. */
  listen(): void {
    if (this.#deps.isShared) this.#timer ??= setInterval(() => void this.#poll(), POLL_MILLISECONDS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #poll(): Promise<void> {
    if (this.#open.size === 0) return this.stop();
    if (this.#isPolling) return;
    this.#isPolling = true;
    const { store, systemCall, log } = this.#deps;
    try {
      const page = { holder: this.#holder, after: this.#lastId, limit: BATCH_SIZE };
      const commands = await store.commandsFor.all(systemCall("node command"), page);
      for (const { id, sessionId, expiresAt, ...command } of commands) {
        this.#lastId = id;
        void this.#execute(id, this.#open.get(sessionId), command, Number(expiresAt));
      }
    } catch (error) {
      log.warn("node command poll failed", { error: errorText(error) });
    } finally {
      this.#isPolling = false;
    }
  }

  /** Sends a command from another instance to the node and stores the response. Expired commands are skipped. */
  async #execute(id: bigint, session: NodeSession | undefined, command: Command, expiresAt: number): Promise<void> {
    const { store, clock, systemCall, log } = this.#deps;
    const remaining = expiresAt - clock.now();
    if (remaining <= 0 || session === undefined) return;
    const { nodeId, connection } = session;
    const response = await sendLocally(connection, command, remaining);
    if (response === undefined) return;
    const { isOk, message, dataJSON: replyJSON = new Uint8Array() } = response;
    const tooLarge = `the response of node '${nodeId}' is larger than the limit of ${MAX_BYTES} bytes`;
    const storedResponse = replyJSON.length > MAX_BYTES
      ? { ...errorReply(tooLarge), replyJSON: new Uint8Array() }
      : { isOk, message, replyJSON };
    try {
      await systemCall("node command").transact((inner) => store.storeResponse.run(inner, { id, ...storedResponse }));
    } catch (error) {
      log.warn("node response not stored", { nodeId, error: errorText(error) });
    }
  }
}

async function sendLocally(connection: NodeConnection, command: Command, milliseconds: number) {
  try {
    return await connection.send(command, milliseconds);
  } catch (error) {
    if (error instanceof NodeBusyError) {
      return errorReply(`too many commands are waiting for node '${connection.nodeId}'`);
    }
    throw error;
  }
}

function errorReply(message: string): NodeReply {
  return { isOk: false, message };
}

function timeout(milliseconds: number): NodeReply {
  return errorReply(`response timeout over ${Math.ceil(milliseconds / 1000)} seconds`);
}
