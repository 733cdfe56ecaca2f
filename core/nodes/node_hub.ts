import { type Call, callerId } from "../base/call.ts";
import type { Clock, Timers } from "../base/clock.ts";
import type { Leases } from "../jobs/leases.ts";
import { errorText, type Logger } from "../base/log.ts";
import { NodeCommands } from "./node_commands.ts";
import type { NodeSession } from "./node_session.ts";
import { INSTANCE_LEASE, type NodeSessionStore } from "./node_sessions.ts";
import { NodeConnection, type NodeMessage } from "./node_stream.ts";
import type { NodeKind, NodeLinks, NodeStreams } from "./node_streams.ts";
import { NewsWatch } from "./node_news.ts";

/** How often an instance with streams says that it is there. */
const BEAT_MILLISECONDS = 3000;
/** An instance that was silent for longer is gone, and its nodes are not connected. */
const LEASE_MILLISECONDS = 10_000;
const SWEPT_AT_ONCE = 500;
/** An installation without several API servers is the one API node that there is. */
const CONNECTED = new TextEncoder().encode(JSON.stringify({ apiNodeId: 1 }));

export interface NodeHubDeps {
  readonly sessions: NodeSessionStore;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
  /** A call of the installation's own, which may transact, until a time in unix milliseconds. */
  readonly systemCall: (name: string, deadline?: number) => Call;
  /** Names this instance, and no other. */
  readonly instanceId: string;
  /** Whether there may be other instances. */
  readonly isShared: boolean;
}

type Ended = Pick<NodeSession, "id" | "nodeId"> & { readonly kind: string };

/**
 * The streams of nodes that this instance holds. The database knows them too, so that other instances can hand over
 * their commands, and find out that a node is not connected any more when this instance is gone.
 */
export class NodeHub implements NodeStreams {
  readonly #deps: NodeHubDeps;
  readonly #holder: string;
  readonly #kinds = new Map<string, NodeKind>();
  readonly #open = new Map<string, NodeSession>();
  /** Streams that ended here while the database could not be told. */
  readonly #untold = new Map<string, Ended>();
  readonly #beginning = new Set<string>();
  readonly #commands: NodeCommands;
  #forgetBeat: (() => void) | undefined;
  #toldAt = 0;
  #isStopped = false;

  constructor(deps: NodeHubDeps) {
    this.#deps = deps;
    this.#holder = `${INSTANCE_LEASE}${deps.instanceId}`;
    this.#commands = new NodeCommands(deps, this.#holder, this.#open);
  }

  of(kind: NodeKind): NodeLinks {
    this.#kinds.set(kind.name, kind);
    const watch = kind.news && new NewsWatch(kind.news, this.#deps);
    return {
      serve: (call, requests) => this.#serve(kind, watch, call, requests),
      ask: (call, nodeId, command, milliseconds) => this.#commands.ask(kind, call, nodeId, command, milliseconds),
    };
  }

  async *#serve(
    kind: NodeKind,
    watch: NewsWatch | undefined,
    call: Call,
    requests: AsyncIterable<NodeMessage>,
  ): AsyncGenerator<NodeMessage> {
    const session = await this.#begin(kind, call);
    const { connection } = session;
    try {
      connection.push({ code: "connectedAPINode", dataJSON: CONNECTED, isOk: true });
      await watch?.add(call, connection);
      yield* connection.exchange(call, requests);
    } finally {
      connection.close();
      watch?.remove(connection);
      await this.#end(session);
    }
  }

  async #begin(kind: NodeKind, call: Call): Promise<NodeSession> {
    const { sessions, leases, clock } = this.#deps;
    const id = crypto.randomUUID();
    const nodeId = callerId(call.caller);
    const openedAt = BigInt(clock.now());
    const session = { id, kind, nodeId, connection: new NodeConnection(nodeId) };
    this.#beginning.add(id);
    this.#keepBeating();
    try {
      await call.transact(async (inner) => {
        await kind.connected(inner, nodeId);
        await leases.take(inner, this.#holder, LEASE_MILLISECONDS);
        await sessions.insert.defer(inner, { id, kind: kind.name, nodeId, holder: this.#holder, openedAt });
      });
      this.#open.set(id, session);
    } finally {
      this.#beginning.delete(id);
    }
    this.#commands.listen();
    return session;
  }

  async #end({ id, nodeId, kind: { name: kind } }: NodeSession): Promise<void> {
    const ended = { id, nodeId, kind };
    this.#open.delete(id);
    this.#untold.set(id, ended);
    if (this.#isStopped) return;
    try {
      await this.#deps.systemCall("node streams").transact((inner) => this.#tell(inner, ended));
      this.#untold.delete(id);
    } catch (error) {
      this.#deps.log.warn("that a node disconnected cannot be told yet", { kind, nodeId, error: errorText(error) });
    }
  }

  /** Forgets a stream that ended, and tells its plugin if it was the node's last one. */
  async #tell(call: Call, { id, kind, nodeId }: Ended): Promise<void> {
    const { sessions } = this.#deps;
    await sessions.removeCommandsTo.defer(call, { sessionId: id });
    if (await sessions.remove.run(call, { id }) === 0n) return;
    if (await sessions.anyOf.first(call, { kind, nodeId }) !== undefined) return;
    await this.#kinds.get(kind)?.disconnected(call, nodeId);
  }

  #keepBeating(): void {
    if (this.#forgetBeat !== undefined) return;
    this.#toldAt = this.#deps.clock.now();
    this.#beatLater();
  }

  #beatLater(): void {
    this.#forgetBeat = this.#deps.timers.after(BEAT_MILLISECONDS, () => {
      void this.#beat().finally(() => {
        this.#forgetBeat = undefined;
        if (!this.#isStopped && this.#open.size + this.#untold.size + this.#beginning.size > 0) this.#beatLater();
      });
    });
  }

  /** Says that this instance is there, tells what could not be told, and ends streams that others gave up. */
  async #beat(): Promise<void> {
    const { systemCall, leases, sessions, clock, log } = this.#deps;
    const before = [...this.#open.values()];
    const untold = [...this.#untold.values()];
    const left = Math.max(BEAT_MILLISECONDS / 2, this.#toldAt + LEASE_MILLISECONDS - clock.now());
    try {
      const kept = await systemCall("node streams", Date.now() + left).transact(async (inner) => {
        await leases.take(inner, this.#holder, LEASE_MILLISECONDS);
        for (const ended of untold) await this.#tell(inner, ended);
        const held = await sessions.heldBy.all(inner, { holder: this.#holder });
        // What began here and was never known to have begun, since the answer to COMMIT was lost.
        const unknown = held.filter(({ id }) => !this.#open.has(id) && !this.#beginning.has(id));
        for (const ended of unknown) await this.#tell(inner, ended);
        return held;
      });
      this.#toldAt = clock.now();
      for (const { id } of untold) this.#untold.delete(id);
      const known = new Set(kept.map(({ id }) => id));
      // The nodes connect again, perhaps elsewhere.
      for (const { id, connection } of before) if (!known.has(id)) connection.close();
    } catch (error) {
      log.warn("other instances cannot be told that this one is there", { error: errorText(error) });
      // Who is cut off serves its nodes badly: they find a better instance.
      if (clock.now() - this.#toldAt >= LEASE_MILLISECONDS - BEAT_MILLISECONDS / 2) {
        for (const { connection } of before) {
          connection.close();
        }
      }
    }
  }

  /** Ends the streams of instances that are gone, and removes commands that nobody waits for. */
  async sweep(call: Call): Promise<void> {
    const { sessions, clock } = this.#deps;
    const kinds = [...this.#kinds.keys()];
    const lost = () => ({ kinds, now: BigInt(clock.now()), limit: SWEPT_AT_ONCE });
    while (!call.signal.aborted && await sessions.lost.first(call, lost()) !== undefined) {
      await call.transact(async (inner) => {
        for (const ended of await sessions.lost.all(inner, lost())) await this.#tell(inner, ended);
        await sessions.removeLeases.run(inner, { now: BigInt(clock.now()) });
      });
    }
    const before = { before: BigInt(clock.now() - LEASE_MILLISECONDS) };
    if (await sessions.expiredCommand.first(call, before) === undefined) return;
    await call.transact((inner) => sessions.removeExpiredCommands.run(inner, before));
  }

  /** Whether there is any kind of node. */
  get isUsed(): boolean {
    return this.#kinds.size > 0;
  }

  /** Ends every stream, and says so, if that takes no longer. */
  async stop(limitMilliseconds: number): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#forgetBeat?.();
    this.#commands.stop();
    const { systemCall, leases, log } = this.#deps;
    const ended = [...this.#untold.values()];
    for (const { id, nodeId, kind: { name: kind }, connection } of this.#open.values()) {
      connection.close();
      ended.push({ id, nodeId, kind });
    }
    if (this.#toldAt === 0) return;
    try {
      await systemCall("node streams", Date.now() + limitMilliseconds).transact(async (inner) => {
        for (const one of ended) await this.#tell(inner, one);
        await leases.remove(inner, this.#holder);
      });
    } catch (error) {
      log.warn("other instances cannot be told that this one stops", { error: errorText(error) });
    }
  }
}
