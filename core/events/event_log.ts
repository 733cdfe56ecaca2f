import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import type { Call } from "../base/call.ts";
import { type Clock, unixSeconds } from "../base/clock.ts";
import type { Db } from "../storage/database.ts";
import { kernelCall } from "../storage/kernel_call.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import { anyOf } from "../storage/parameters.ts";
import { decodeEventData, encodeEventData } from "./event_data.ts";
import type { EventKind } from "./event_kind.ts";
import type { EmittedEvent, Events } from "./events.ts";

const KEPT_SECONDS = 30n * 86_400n;
const PRUNE_BATCH_SIZE = 5000;

type EventRow = Omit<KernelTables["kernel_events"], "id"> & { readonly id: bigint };

/** An event in the log. */
export interface StoredEvent {
  readonly id: bigint;
  readonly name: string;
  readonly createdAt: bigint;
  /** Returns the event. Throws if its data cannot be read. Undefined if this instance does not know its kind. */
  readonly read: (() => EmittedEvent) | undefined;
}

/** Stores events in the transactions that emit them. */
export class EventLog implements Events {
  readonly #clock: Clock;
  readonly #kinds: ReadonlyMap<string, EventKind>;
  readonly #onEmit: () => void;
  readonly #insert;
  readonly #after;
  readonly #byId;
  readonly #lastBefore;
  readonly #oldest;
  readonly #delete;

  /**
   * @param kinds the kinds of the kernel and of all plugins that run
   * @param onEmit called when an event is durable
   */
  constructor(db: Db<KernelTables>, clock: Clock, kinds: Iterable<EventKind>, onEmit: () => void) {
    this.#clock = clock;
    this.#kinds = new Map([...kinds].map((kind) => [kind.name, kind]));
    this.#onEmit = onEmit;
    this.#insert = db.query((q, p: { createdAt: bigint; name: string; userId: bigint; dataJSON: string }) =>
      q.insertInto("kernel_events").values({
        createdAt: p.createdAt,
        name: p.name,
        userId: p.userId,
        dataJSON: p.dataJSON,
      })
    );
    this.#after = db.query((q, p: { id: bigint; size: bigint }) =>
      q.selectFrom("kernel_events").selectAll().where("id", ">", p.id).orderBy("id").limit(p.size)
    );
    this.#byId = db.query((q, p: { id: bigint }) => q.selectFrom("kernel_events").selectAll().where("id", "=", p.id));
    this.#lastBefore = db.query((q, p: { createdAt: bigint }) =>
      q.selectFrom("kernel_events").select("id").where("createdAt", "<", p.createdAt)
        .orderBy("createdAt", "desc").orderBy("id", "desc").limit(1)
    );
    this.#oldest = db.query((q) =>
      q.selectFrom("kernel_events").select(["id", "createdAt"]).orderBy("id").limit(PRUNE_BATCH_SIZE)
    );
    this.#delete = db.query((q, p: { ids: readonly bigint[] }) =>
      q.deleteFrom("kernel_events").where("id", "in", anyOf(p.ids))
    );
  }

  async emit<Data extends DescMessage>(
    call: Call,
    kind: EventKind<Data>,
    data: MessageInitShape<Data>,
    userId = 0n,
  ): Promise<void> {
    if (!call.inTransaction) throw new Error(`event "${kind.name}" emitted outside a transaction`);
    if (this.#kinds.get(kind.name) !== (kind as EventKind)) {
      throw new Error(`event "${kind.name}" is not declared in "events" of a plugin`);
    }
    const dataJSON = encodeEventData(kind, data);
    await this.#insert.defer(call, { createdAt: unixSeconds(this.#clock), name: kind.name, userId, dataJSON });
    kernelCall(call).afterCommit(this.#onEmit);
  }

  kinds(): readonly EventKind[] {
    return [...this.#kinds.values()].sort(({ name: one }, { name: other }) => one < other ? -1 : one > other ? 1 : 0);
  }

  /** The names of the kinds that this instance knows. */
  get kindNames(): readonly string[] {
    return [...this.#kinds.keys()];
  }

  /** Returns events after one, in their order. */
  async after(call: Call, id: bigint, size: bigint): Promise<readonly StoredEvent[]> {
    return (await this.#after.all(call, { id, size })).map((row) => this.#stored(row));
  }

  async find(call: Call, id: bigint): Promise<StoredEvent | undefined> {
    const row = await this.#byId.first(call, { id });
    return row && this.#stored(row);
  }

  #stored({ id, name, createdAt, userId, dataJSON }: EventRow): StoredEvent {
    const kind = this.#kinds.get(name);
    const read = kind && (() => ({ id, kind, createdAt, userId, data: decodeEventData(kind, dataJSON) }));
    return { id, name, createdAt, read };
  }

  /** Returns the id of the last event before a time in unix seconds; 0 if there is none. */
  async lastBefore(call: Call, createdAt: bigint): Promise<bigint> {
    return (await this.#lastBefore.first(call, { createdAt }))?.id ?? 0n;
  }

  /** Deletes a batch of expired events, whether all listeners had them or not. Returns true if there may be more. */
  async prune(call: Call): Promise<boolean> {
    const before = unixSeconds(this.#clock) - KEPT_SECONDS;
    const oldest = await this.#oldest.all(call, {});
    const firstKept = oldest.findIndex(({ createdAt }) => createdAt >= before);
    const last = oldest.at(firstKept === -1 ? oldest.length - 1 : firstKept - 1);
    if (oldest.length === 0 || firstKept === 0 || last === undefined) return false;
    await this.#delete.run(call, { ids: oldest.map(({ id }) => id).filter((id) => id <= last.id) });
    return firstKept === -1 && oldest.length === PRUNE_BATCH_SIZE;
  }
}
