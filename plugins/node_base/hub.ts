import { type Call, callerId, type Clock, type Logger } from "edgehelm";
import { errorText, type Timers } from "edgehelm/runtime";
import { inBatches } from "edgehelm/storage";
import { NodeCommands } from "./commands.ts";
import { NodeConnection } from "./connection.ts";
import type { NodeKind, NodeLinks, NodeMessage, NodeStreams } from "./contract.ts";
import { NewsPoller } from "./news_poller.ts";
import type { NodeSession } from "./session.ts";
import type { StreamStore } from "./store.ts";

/** The interval of the heartbeat of an instance with streams. */
const HEARTBEAT_MILLISECONDS = 3000;
/** The time without a heartbeat after which an instance is considered dead, and its nodes disconnected. */
const MAX_SILENT_MILLISECONDS = 10_000;
const SWEEP_BATCH_SIZE = 500;
/** Nodes expect the id of the API node that they are connected to. All instances form a single API node. */
const CONNECTED_MESSAGE_DATA = new TextEncoder().encode(JSON.stringify({ apiNodeId: 1 }));

export interface NodeHubDeps {
  readonly store: StreamStore;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
  /** Creates a call of the installation itself, which may transact, with a deadline in unix milliseconds. */
  readonly systemCall: (name: string, deadline?: number) => Call;
  /** True if there may be other instances. */
  readonly isShared: boolean;
}

type EndedSession = Pick<NodeSession, "id" | "nodeId"> & { readonly kind: string };

/**
 * The streams of nodes on this instance. They are also stored in the database, so that other instances can send commands
 * to the nodes, and detect that the nodes are disconnected if this instance dies.
 */
export class NodeHub implements NodeStreams {
  readonly #deps: NodeHubDeps;
  /** The id of this instance. */
  readonly #holder = crypto.randomUUID();
  readonly #kinds = new Map<string, NodeKind>();
  readonly #open = new Map<string, NodeSession>();
  /** Streams whose end is not yet recorded in the database. */
  readonly #unrecorded = new Map<string, EndedSession>();
  readonly #starting = new Set<string>();
  readonly #commands: NodeCommands;
  #cancelHeartbeat: (() => void) | undefined;
  #heartbeatAt = 0;
  #isStopped = false;

  constructor(deps: NodeHubDeps) {
    this.#deps = deps;
    this.#commands = new NodeCommands(deps, this.#holder, this.#open);
  }

  of(kind: NodeKind): NodeLinks {
    this.#kinds.set(kind.name, kind);
    const poller = kind.news && new NewsPoller(kind.news, this.#deps);
    return {
      serve: (call, requests) => this.#serve(kind, poller, call, requests),
      ask: (call, nodeId, command, milliseconds) => this.#commands.send(kind, call, nodeId, command, milliseconds),
    };
  }

  async *#serve(
    kind: NodeKind,
    poller: NewsPoller | undefined,
    call: Call,
    requests: AsyncIterable<NodeMessage>,
  ): AsyncGenerator<NodeMessage> {
    const session = await this.#begin(kind, call);
    const { connection } = session;
    try {
      connection.push({ code: "connectedAPINode", dataJSON: CONNECTED_MESSAGE_DATA, isOk: true });
      await poller?.add(call, connection);
      yield* connection.exchange(call, requests);
    } finally {
      connection.close();
      poller?.remove(connection);
      await this.#end(session);
    }
  }

  async #begin(kind: NodeKind, call: Call): Promise<NodeSession> {
    const { store, clock } = this.#deps;
    const id = crypto.randomUUID();
    const nodeId = callerId(call.caller);
    const openedAt = BigInt(clock.now());
    const session = { id, kind, nodeId, connection: new NodeConnection(nodeId) };
    this.#starting.add(id);
    this.#startHeartbeat();
    try {
      await call.transact(async (inner) => {
        await kind.connected(inner, nodeId);
        await this.#renew(inner);
        await store.insert.defer(inner, { id, kind: kind.name, nodeId, holder: this.#holder, openedAt });
      });
      this.#open.set(id, session);
    } finally {
      this.#starting.delete(id);
    }
    this.#commands.listen();
    return session;
  }

  async #end({ id, nodeId, kind: { name: kind } }: NodeSession): Promise<void> {
    const ended = { id, nodeId, kind };
    this.#open.delete(id);
    this.#unrecorded.set(id, ended);
    if (this.#isStopped) return;
    try {
      await this.#deps.systemCall("node streams").transact((inner) => this.#recordEnd(inner, ended));
      this.#unrecorded.delete(id);
    } catch (error) {
      this.#deps.log.warn("node disconnect not recorded; will retry", { kind, nodeId, error: errorText(error) });
    }
  }

  /** Deletes the session of an ended stream, and notifies its plugin if it was the node's last one. */
  async #recordEnd(call: Call, { id, kind, nodeId }: EndedSession): Promise<void> {
    const { store } = this.#deps;
    await store.deleteCommandsTo.defer(call, { sessionId: id });
    if (await store.delete.run(call, { id }) === 0n) return;
    if (await store.ofNode.first(call, { kind, nodeId }) !== undefined) return;
    await this.#kinds.get(kind)?.disconnected(call, nodeId);
  }

  async #renew(call: Call): Promise<void> {
    const { store, clock } = this.#deps;
    const expiresAt = BigInt(Math.ceil(clock.now() + MAX_SILENT_MILLISECONDS));
    await store.renewInstance.run(call, { id: this.#holder, expiresAt });
  }

  #startHeartbeat(): void {
    if (this.#cancelHeartbeat !== undefined) return;
    this.#heartbeatAt = this.#deps.clock.now();
    this.#scheduleHeartbeat();
  }

  #scheduleHeartbeat(): void {
    this.#cancelHeartbeat = this.#deps.timers.after(HEARTBEAT_MILLISECONDS, () => {
      void this.#heartbeat().finally(() => {
        this.#cancelHeartbeat = undefined;
        if (!this.#isStopped && this.#open.size + this.#unrecorded.size + this.#starting.size > 0) {
          this.#scheduleHeartbeat();
        }
      });
    });
  }

  /** Registers this instance again, records the end of streams, and closes streams that other instances deleted. */
  async #heartbeat(): Promise<void> {
    const { store, systemCall, clock, log } = this.#deps;
    const before = [...this.#open.values()];
    const unrecorded = [...this.#unrecorded.values()];
    const remaining = Math.max(HEARTBEAT_MILLISECONDS / 2, this.#heartbeatAt + MAX_SILENT_MILLISECONDS - clock.now());
    try {
      const stored = await systemCall("node streams", Date.now() + remaining).transact(async (inner) => {
        await this.#renew(inner);
        for (const ended of unrecorded) await this.#recordEnd(inner, ended);
        const held = await store.heldBy.all(inner, { holder: this.#holder });
        // Sessions that failed to start here although their COMMIT succeeded, because its response was lost.
        const orphaned = held.filter(({ id }) => !this.#open.has(id) && !this.#starting.has(id));
        for (const ended of orphaned) await this.#recordEnd(inner, ended);
        return held;
      });
      this.#heartbeatAt = clock.now();
      for (const { id } of unrecorded) this.#unrecorded.delete(id);
      const storedIds = new Set(stored.map(({ id }) => id));
      // The nodes reconnect, perhaps to another instance.
      for (const { id, connection } of before) if (!storedIds.has(id)) connection.close();
    } catch (error) {
      log.warn("instance heartbeat failed", { error: errorText(error) });
      // A partitioned instance drops its nodes so that they reconnect elsewhere.
      if (clock.now() - this.#heartbeatAt >= MAX_SILENT_MILLISECONDS - HEARTBEAT_MILLISECONDS / 2) {
        for (const { connection } of before) connection.close();
      }
    }
  }

  /** Records the end of streams on dead instances, and deletes expired commands. */
  async sweep(call: Call): Promise<void> {
    const { store, clock } = this.#deps;
    const kinds = [...this.#kinds.keys()];
    const lost = () => ({ kinds, now: BigInt(clock.now()), limit: SWEEP_BATCH_SIZE });
    while (!call.signal.aborted && await store.lost.first(call, lost()) !== undefined) {
      await call.transact(async (inner) => {
        for (const ended of await store.lost.all(inner, lost())) await this.#recordEnd(inner, ended);
        await store.deleteDeadInstances.run(inner, { now: BigInt(clock.now()) });
      });
    }
    const before = { before: BigInt(clock.now() - MAX_SILENT_MILLISECONDS) };
    if (await store.expiredCommand.first(call, before) === undefined) return;
    await inBatches(call, 1000, (inner, limit) => store.deleteExpiredCommands.run(inner, { ...before, limit }));
  }

  /** Closes every stream and records its end in the database, within the limit. */
  async stop(limitMilliseconds: number): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#cancelHeartbeat?.();
    this.#commands.stop();
    const { store, systemCall, log } = this.#deps;
    const ended = [...this.#unrecorded.values()];
    for (const { id, nodeId, kind: { name: kind }, connection } of this.#open.values()) {
      connection.close();
      ended.push({ id, nodeId, kind });
    }
    if (this.#heartbeatAt === 0) return;
    try {
      await systemCall("node streams", Date.now() + limitMilliseconds).transact(async (inner) => {
        for (const session of ended) await this.#recordEnd(inner, session);
        await store.deleteInstance.run(inner, { id: this.#holder });
      });
    } catch (error) {
      log.warn("could not deregister instance", { error: errorText(error) });
    }
  }
}
