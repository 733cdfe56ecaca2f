import type { Call } from "../base/call.ts";
import type { Clock } from "../base/clock.ts";
import { errorText, type Logger } from "../base/log.ts";
import type { NodeSession } from "./node_session.ts";
import type { NodeSessionStore } from "./node_sessions.ts";
import { NodeBusy, type NodeConnection, type NodeMessage } from "./node_stream.ts";
import type { NodeKind, NodeReply } from "./node_streams.ts";

/** How often an instance with nodes looks for commands that others have for them. */
const LISTEN_MILLISECONDS = 200;
const TAKEN_AT_ONCE = 100;
/** How often the answer to a command that was handed over is looked for, at first and at last. */
const FIRST_PAUSE = 50;
const MAX_PAUSE = 250;
/** A libSQL server takes little more in one value. */
const MAX_BYTES = 1024 * 1024;

export interface NodeCommandsDeps {
  readonly sessions: NodeSessionStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly systemCall: (name: string) => Call;
  readonly isShared: boolean;
}

type Command = Pick<NodeMessage, "code" | "dataJSON">;

/** Commands to nodes: over a stream that is here, or handed through the database to the instance that holds it. */
export class NodeCommands {
  readonly #deps: NodeCommandsDeps;
  readonly #holder: string;
  readonly #open: ReadonlyMap<string, NodeSession>;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isLooking = false;
  #lastId = 0n;

  /** @param open the streams that this instance holds, by the ids of their sessions, the newest last */
  constructor(deps: NodeCommandsDeps, holder: string, open: ReadonlyMap<string, NodeSession>) {
    this.#deps = deps;
    this.#holder = holder;
    this.#open = open;
  }

  async ask(kind: NodeKind, call: Call, nodeId: bigint, command: Command, milliseconds: number): Promise<NodeReply> {
    const own = [...this.#open.values()].findLast((one) => one.kind === kind && one.nodeId === nodeId);
    const { sessions, clock, isShared } = this.#deps;
    const newest = isShared
      ? await sessions.newest.first(call, { kind: kind.name, nodeId, now: BigInt(clock.now()) })
      : undefined;
    if (newest !== undefined && newest.holder !== this.#holder) {
      return await this.#handOver(call, nodeId, newest, command, milliseconds);
    }
    if (own === undefined) return failure(`node '${nodeId}' not connected yet`);
    return await askHere(own.connection, command, milliseconds) ?? late(milliseconds);
  }

  async #handOver(
    call: Call,
    nodeId: bigint,
    session: { readonly id: string; readonly holder: string },
    { code, dataJSON }: Command,
    milliseconds: number,
  ): Promise<NodeReply> {
    if (dataJSON.length > MAX_BYTES) return failure(`node '${nodeId}' is elsewhere: allowed are ${MAX_BYTES} bytes`);
    const { sessions, clock, systemCall, log } = this.#deps;
    const own = systemCall("node command");
    const expiresAt = BigInt(Math.ceil(clock.now() + milliseconds));
    const command = { sessionId: session.id, holder: session.holder, code, dataJSON, expiresAt };
    const until = performance.now() + milliseconds;
    const { id } = await own.transact((inner) => sessions.insertCommand.one(inner, command));
    try {
      for (let pause = FIRST_PAUSE; performance.now() < until; pause = Math.min(pause * 1.5, MAX_PAUSE)) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        call.signal.throwIfAborted();
        const row = await sessions.answerTo.first(own, { id });
        if (row === undefined) return failure(`node '${nodeId}' disconnected`);
        if (row.isOk !== null) return { isOk: row.isOk === 1n, message: row.message!, dataJSON: row.replyJSON!, code };
      }
      return late(milliseconds);
    } finally {
      await own.transact((inner) => sessions.removeCommand.run(inner, { id })).catch((error) =>
        log.warn("a command is not removed yet", { error: errorText(error) })
      );
    }
  }

  /** Looks for commands from other instances, as long as there are streams here. */
  listen(): void {
    if (this.#deps.isShared) this.#timer ??= setInterval(() => void this.#look(), LISTEN_MILLISECONDS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    if (this.#open.size === 0) return this.stop();
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { sessions, systemCall, log } = this.#deps;
    try {
      const page = { holder: this.#holder, after: this.#lastId, limit: TAKEN_AT_ONCE };
      for (const { id, sessionId, expiresAt, ...command } of await sessions.commandsFor.all(systemCall("look"), page)) {
        this.#lastId = id;
        void this.#carryOut(id, this.#open.get(sessionId), command, Number(expiresAt));
      }
    } catch (error) {
      log.warn("commands for nodes cannot be looked up", { error: errorText(error) });
    } finally {
      this.#isLooking = false;
    }
  }

  /** Asks the node and leaves its answer for who waits. A command that nobody waits for any more is not carried out. */
  async #carryOut(id: bigint, session: NodeSession | undefined, command: Command, expiresAt: number): Promise<void> {
    const { sessions, clock, systemCall, log } = this.#deps;
    const left = expiresAt - clock.now();
    if (left <= 0 || session === undefined) return;
    const { nodeId, connection } = session;
    const reply = await askHere(connection, command, left);
    if (reply === undefined) return;
    const { isOk, message, dataJSON: replyJSON = new Uint8Array() } = reply;
    const isTooLarge = replyJSON.length > MAX_BYTES;
    const answer = isTooLarge
      ? { ...failure(`node '${nodeId}' answered more than ${MAX_BYTES} bytes`), replyJSON: new Uint8Array() }
      : { isOk, message, replyJSON };
    try {
      await systemCall("node command").transact((inner) => sessions.answer.run(inner, { id, ...answer }));
    } catch (error) {
      log.warn("an answer of a node cannot be handed over", { nodeId, error: errorText(error) });
    }
  }
}

async function askHere(connection: NodeConnection, command: Command, milliseconds: number) {
  try {
    return await connection.ask(command, milliseconds);
  } catch (error) {
    if (error instanceof NodeBusy) return failure(`too many commands wait for node '${connection.nodeId}'`);
    throw error;
  }
}

function failure(message: string): NodeReply {
  return { isOk: false, message };
}

function late(milliseconds: number): NodeReply {
  return failure(`response timeout over ${Math.ceil(milliseconds / 1000)} seconds`);
}
