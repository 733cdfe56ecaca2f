import { ErrorCode, Http2ConnectionError } from "./protocol.ts";

const MAX_POINTS = 1000;
const POINTS_A_SECOND = 200;
const POINTS_FOR_WORK = 4;

/**
 * Charges a connection for frames that cost the server more than the client: resets, pings, settings, empty frames and
 * window updates. Sent responses earn points, so that ordinary busy clients never run out of them.
 */
export class AbuseGuard {
  #points = MAX_POINTS;

  /** @throws Http2ConnectionError ENHANCE_YOUR_CALM if no points are left */
  charge(points: number, frames: string): void {
    this.#points -= points;
    if (this.#points < 0) throw new Http2ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, `too many ${frames}`);
  }

  /** Adds the points for a sent frame of a response. */
  earn(): void {
    if (this.#points < MAX_POINTS) this.#points += POINTS_FOR_WORK;
  }

  /** Adds points over time. Called about once a second. */
  refill(): void {
    this.#points = Math.min(MAX_POINTS, this.#points + POINTS_A_SECOND);
  }
}
