import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Call } from "../base/call.ts";
import { type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "../base/contract.ts";
import type { EventKind } from "./event_kind.ts";

/** Emits events, and tells which kinds of them there are. */
export interface Events {
  /**
   * Emits an event in the transaction of a call: listeners get it if the transaction commits, and never otherwise.
   *
   * @param kind a kind that an enabled plugin declares
   * @param userId the user whom the object of the event belongs to; 0, the default, if it belongs to none
   * @throws Error outside a transaction
   *
   * @example
   * ```ts
   * await call.transact(async (inner) => {
   *   await nodes.markOffline.run(inner, { id });
   *   await events.emit(inner, nodeWentOffline, { nsNodeId: id, name });
   * });
   * ```
   */
  emit<Data extends DescMessage>(
    call: Call,
    kind: EventKind<Data>,
    data: MessageInitShape<Data>,
    userId?: bigint,
  ): Promise<void>;
  /** Returns the kinds of the kernel and of all plugins that run, in the order of their names. */
  kinds(): readonly EventKind[];
}

/**
 * The kernel's contract for emitting events.
 *
 * @example
 * ```ts
 * requires: { events: Events },
 * events: [nodeWentOffline],
 * ```
 */
export const Events: Contract<Events> = defineContract("kernel.events");

/** An event that was emitted. */
export interface EmittedEvent {
  /** Later events have greater ids. */
  readonly id: bigint;
  readonly kind: EventKind;
  /** The time of its transaction in unix seconds. */
  readonly createdAt: bigint;
  /** The user whom its object belongs to; 0 if it belongs to none. */
  readonly userId: bigint;
  readonly data: MessageShape<DescMessage>;
}

/** Listens to the events of all plugins. */
export interface EventListener {
  /** Unique among all listeners. Its place in the sequence of events is stored under this name. */
  readonly name: string;
  /**
   * Handles an event, in a transaction with a call of the role `system`. The transaction also stores that the listener
   * has had the event, so that its statements take effect exactly once for each event, in the order of events. It may
   * not reach other machines: store what is to be sent, and send it afterwards.
   *
   * If it throws, it gets the event again later; after several attempts the event is skipped, with an error in the log.
   */
  handle(call: Call, event: EmittedEvent): Promise<void>;
}

/**
 * The extension point for listeners to events. A new listener gets the events of the last hour and all later ones.
 *
 * @example
 * ```ts
 * contribute(EventListeners, {
 *   name: "event_counter",
 *   handle: (call, { kind }) => store.count.run(call, { name: kind.name }).then(() => {}),
 * });
 * ```
 */
export const EventListeners: ExtensionPoint<EventListener> = defineExtensionPoint("kernel.event_listeners");
