import type { Http2Limits } from "./limits.ts";
import { ErrorCode, Http2ConnectionError } from "./protocol.ts";

const TWO_HOURS = 2 * 60 * 60 * 1000;
const MAX_STRIKES = 2;

/**
 * Pings of both sides, with the rules that gRPC servers enforce (gRPC proposals A8 and A9): a client that pings too
 * often is sent away, and one that is silent is asked whether it is still there.
 */
export class Keepalive {
  readonly #limits: Http2Limits;
  #lastPing = -Infinity;
  #strikes = 0;
  #lastHeard: number;
  #askedAt: number | undefined;

  constructor(limits: Http2Limits, now: number) {
    this.#limits = limits;
    this.#lastHeard = now;
  }

  /** The client pinged. @throws Http2ConnectionError ENHANCE_YOUR_CALM */
  pinged(now: number, hasStreams: boolean): void {
    const least = hasStreams ? this.#limits.pingMilliseconds : TWO_HOURS;
    if (now - this.#lastPing < least && ++this.#strikes > MAX_STRIKES) {
      throw new Http2ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, "too_many_pings");
    }
    this.#lastPing = now;
  }

  /** An answer was sent: clients measure the line with a ping then. */
  sent(): void {
    this.#strikes = 0;
    this.#lastPing = -Infinity;
  }

  heard(now: number): void {
    this.#lastHeard = now;
    this.#askedAt = undefined;
  }

  /** What is due now: to ask whether the client is there, or to give it up. */
  due(now: number): "ping" | "give up" | undefined {
    if (this.#askedAt !== undefined) {
      return now - this.#askedAt > this.#limits.keepaliveTimeoutMilliseconds ? "give up" : undefined;
    }
    if (now - this.#lastHeard < this.#limits.keepaliveMilliseconds) return undefined;
    this.#askedAt = now;
    return "ping";
  }
}
