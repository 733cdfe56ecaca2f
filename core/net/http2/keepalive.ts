import type { Http2Limits } from "./limits.ts";
import { ErrorCode, Http2ConnectionError } from "./protocol.ts";

const TWO_HOURS = 2 * 60 * 60 * 1000;
const MAX_STRIKES = 2;

/**
 * Keepalive with the rules that gRPC servers enforce (gRPC proposals A8 and A9): a client that pings too often is
 * disconnected, and a silent client is pinged.
 */
export class Keepalive {
  readonly #limits: Http2Limits;
  #lastPing = -Infinity;
  #strikes = 0;
  #lastHeard: number;
  #pingSentAt: number | undefined;

  constructor(limits: Http2Limits, now: number) {
    this.#limits = limits;
    this.#lastHeard = now;
  }

  /**
   * Records a ping of the client.
   *
   * @throws Http2ConnectionError ENHANCE_YOUR_CALM if the client pings too often
   */
  pinged(now: number, hasStreams: boolean): void {
    const minInterval = hasStreams ? this.#limits.pingMilliseconds : TWO_HOURS;
    if (now - this.#lastPing < minInterval && ++this.#strikes > MAX_STRIKES) {
      throw new Http2ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, "too_many_pings");
    }
    this.#lastPing = now;
  }

  /** Records a sent frame of a response, after which clients may ping to estimate bandwidth. */
  sent(): void {
    this.#strikes = 0;
    this.#lastPing = -Infinity;
  }

  /** Records received bytes. */
  heard(now: number): void {
    this.#lastHeard = now;
    this.#pingSentAt = undefined;
  }

  /** Returns "ping" if a ping is due, or "close" if the client has not reacted to one in time. */
  due(now: number): "ping" | "close" | undefined {
    if (this.#pingSentAt !== undefined) {
      return now - this.#pingSentAt > this.#limits.keepaliveTimeoutMilliseconds ? "close" : undefined;
    }
    if (now - this.#lastHeard < this.#limits.keepaliveMilliseconds) return undefined;
    this.#pingSentAt = now;
    return "ping";
  }
}
