import type { Call } from "../base/call.ts";
import { RpcError } from "../base/errors.ts";
import type { StoredEvent } from "./event_log.ts";
import type { EventListener } from "./events.ts";

/** The error of a listener, while the database works. */
class NotHandled extends Error {
  override readonly name = "NotHandled";
}

/** One attempt of a listener in one transaction. It tells failures of the listener from those of the database. */
export class Attempt {
  readonly #listener: EventListener;
  readonly #probe: (call: Call) => Promise<unknown>;
  #isHandling = false;

  /** @param probe reads the database, and throws if it is away */
  constructor(listener: EventListener, probe: (call: Call) => Promise<unknown>) {
    this.#listener = listener;
    this.#probe = probe;
  }

  /** Lets the listener handle an event. Data that cannot be read is a failure like any other. */
  async handle(call: Call, read: NonNullable<StoredEvent["read"]>): Promise<void> {
    this.#isHandling = true;
    try {
      await this.#listener.handle(call, read());
    } catch (cause) {
      // If the database is away, this throws instead.
      await this.#probe(call);
      throw new NotHandled("the listener failed", { cause });
    }
    this.#isHandling = false;
  }

  /**
   * Returns the error of the listener that made the transaction fail; undefined if the listener is not to blame.
   *
   * @param error the error of the transaction
   */
  failure(error: unknown): { readonly cause: unknown } | undefined {
    if (error instanceof NotHandled) return { cause: error.cause };
    const kind = error instanceof RpcError ? error.kind : undefined;
    // The engine ends a transaction in which the listener does nothing for too long.
    const isHanging = this.#isHandling && kind === "deadline";
    return kind === "unavailable" || kind === "deadline" && !isHanging ? undefined : { cause: error };
  }
}
